import { defineEntity, p } from '@mikro-orm/core';
import { at, json, textOrNull } from '../columns.js';

/** State of the branches of a pipeline's repository, compared to find pushes that were not delivered. */
export const BranchCheckSchema = defineEntity({
  name: 'BranchCheck',
  tableName: 'branch_checks',
  indexes: [{ properties: ['nextCheckAt'] }],
  properties: {
    pipelineId: p.uuid().primary(),
    organizationId: p.uuid(),
    /** Commit of each branch at the last check, by branch name; null before the first check. */
    heads: json<Record<string, string>>().nullable(),
    /** New heads without a delivery; their deliveries may still arrive before the next check. */
    awaited: json<Record<string, string>>().defaultRaw(`'{}'`),
    nextCheckAt: at(),
    lastError: textOrNull(),
    createdAt: at(),
  },
});
