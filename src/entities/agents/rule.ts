import { defineEntity, p } from '@mikro-orm/core';
import type { RuleAction } from '../../domain/agents/organization-rules.js';
import { at, idOrNull, textOrNull } from '../columns.js';

/** Permission of one pipeline for another, regardless of clusters and teams. */
export const RuleSchema = defineEntity({
  name: 'Rule',
  tableName: 'rules',
  indexes: [{ properties: ['organizationId', 'id'] }, { properties: ['targetPipelineId'] }],
  uniques: [{ properties: ['sourcePipelineId', 'targetPipelineId', 'action'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    action: p.text().$type<RuleAction>(),
    sourcePipelineId: p.uuid(),
    targetPipelineId: p.uuid(),
    description: textOrNull(),
    createdById: idOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
