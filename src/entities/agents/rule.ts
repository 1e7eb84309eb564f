import { defineEntity, p } from '@mikro-orm/core';
import type { RuleAction } from '../../domain/agents/organization-rules.js';
import { at, idOrNull, textList, textOrNull } from '../columns.js';

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
    /** Conditions about the build of the source pipeline; the rule allows where all are true. */
    conditions: textList(),
    createdById: idOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
