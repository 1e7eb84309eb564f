import { defineEntity, p } from '@mikro-orm/core';
import type { TriggerKind } from '../../domain/pipelines/trigger-kinds.js';
import { at, idOrNull, json, textOrNull } from '../columns.js';

/** A URL that starts a build on each POST. */
export const PipelineTriggerSchema = defineEntity({
  name: 'PipelineTrigger',
  tableName: 'pipeline_triggers',
  indexes: [{ properties: ['pipelineId', 'id'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    /** Kind of sender, which decides the signature that is verified. */
    kind: p.text().$type<TriggerKind>(),
    description: textOrNull(),
    branch: p.text(),
    commit: p.text(),
    message: p.text(),
    env: json<Record<string, string>>().defaultRaw(`'{}'`),
    enabled: p.boolean().default(true),
    tokenHash: p.text().unique(),
    /** Encrypted; null: posts are not signed. */
    secret: textOrNull(),
    createdById: idOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
