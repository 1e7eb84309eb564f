import { defineEntity, p } from '@mikro-orm/core';
import { at, json, textOrNull } from './columns.js';

/** What a look at the branches of a pipeline's repository found, to tell the pushes that nobody delivered. */
export const BranchCheckSchema = defineEntity({
  name: 'BranchCheck',
  tableName: 'branch_checks',
  indexes: [{ properties: ['nextCheckAt'] }],
  properties: {
    pipelineId: p.uuid().primary(),
    organizationId: p.uuid(),
    /** The commit each branch stood on, by name; null before the first look. */
    heads: json<Record<string, string>>().nullable(),
    /** Heads that no delivery has told of yet: they get until the next look to arrive. */
    awaited: json<Record<string, string>>().defaultRaw(`'{}'`),
    nextCheckAt: at(),
    lastError: textOrNull(),
    createdAt: at(),
  },
});
