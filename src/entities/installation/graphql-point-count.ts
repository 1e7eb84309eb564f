import { defineEntity, p } from '@mikro-orm/core';
import { at } from '../columns.js';

/**
 * GraphQL points that were spent in the latest window, one row for each active user and organization, by which replicas
 * share the budgets. Unlogged as `rate_limit_counts` is.
 */
export const GraphqlPointCountSchema = defineEntity({
  name: 'GraphqlPointCount',
  tableName: 'graphql_point_counts',
  properties: {
    /** Of a user or of an organization. */
    subjectId: p.uuid().primary(),
    windowStart: at(),
    /** At most 2,000,000,000, which is above every limit. */
    points: p.integer(),
  },
});
