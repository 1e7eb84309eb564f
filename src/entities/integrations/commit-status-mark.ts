import { defineEntity, p } from '@mikro-orm/core';
import { at } from '../columns.js';

/** A build that changed since its commit statuses were last computed. */
export const CommitStatusMarkSchema = defineEntity({
  name: 'CommitStatusMark',
  tableName: 'commit_status_marks',
  indexes: [{ properties: ['dueAt'] }],
  properties: {
    buildId: p.uuid().primary(),
    organizationId: p.uuid(),
    /** When they are computed: changes that follow each other closely become one request. */
    dueAt: at(),
    /** Raised with every change, so that the transaction of a change waits for one that computes, or the other way. */
    revision: p.integer().default(1),
    createdAt: at(),
  },
});
