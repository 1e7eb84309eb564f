import { defineEntity, p } from '@mikro-orm/core';
import { at, textOrNull } from '../columns.js';

/** Resources whose rows and bytes are purged in the background after their deletion. */
export const purgedResources = ['pipeline', 'suite', 'cluster', 'organization'] as const;
export type PurgedResource = (typeof purgedResources)[number];

/**
 * A deleted resource whose rows and bytes are not all purged yet. It takes the place of the resource's own row, without
 * which nobody finds what belongs to it (docs/decisions/0022).
 */
export const DeletionSchema = defineEntity({
  name: 'Deletion',
  tableName: 'deletions',
  uniques: [{ properties: ['resource', 'resourceId'] }],
  indexes: [{ properties: ['organizationId', 'resource'] }, { properties: ['availableAt'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    resource: p.text().$type<PurgedResource>(),
    resourceId: p.uuid(),
    /** What people called it, for the log. */
    name: p.text(),
    /** Builds, suite runs or agents yet to be purged; null until they are counted, after unfinished jobs have ended. */
    remaining: p.integer().nullable(),
    /** Rows purged so far. */
    purgedRows: p.bigint('number').default(0),
    /** Rounds that failed since the last one that did not. */
    attempts: p.integer().default(0),
    lastError: textOrNull(),
    /** When the next round may begin: a lease while a process works on it, a pause after a failure. */
    availableAt: at(),
    createdAt: at(),
  },
});
