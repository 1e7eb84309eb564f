import { defineEntity, p } from '@mikro-orm/core';
import { at, textList } from '../columns.js';

/**
 * Units of background work that a process has begun; deleted when they end. What is left of a process that died was
 * under way.
 */
export const WorkClaimSchema = defineEntity({
  name: 'WorkClaim',
  tableName: 'work_claims',
  indexes: [{ properties: ['processId'] }],
  properties: {
    id: p.uuid().primary(),
    processId: p.uuid(),
    /** Name of the background task. */
    task: p.text(),
    /** Ids of rows, or other names that the task gives its units. */
    units: textList(),
    /** By the clock of the database: a process that lives renews it every few seconds. */
    seenAt: at(),
  },
});
