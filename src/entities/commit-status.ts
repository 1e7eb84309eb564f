import { defineEntity, p } from '@mikro-orm/core';
import type { CommitStatusState } from '../domain/commit-status.js';
import { at, atOrNull, textOrNull } from './columns.js';

/** What a build's commit is to say at its source provider, one row a context: what is wanted, and what was sent. */
export const CommitStatusSchema = defineEntity({
  name: 'CommitStatus',
  tableName: 'commit_statuses',
  indexes: [
    {
      name: 'commit_statuses_due_index',
      properties: ['nextAttemptAt'],
      expression: `create index "commit_statuses_due_index" on "commit_statuses" ("next_attempt_at") where "next_attempt_at" is not null`,
    },
  ],
  properties: {
    buildId: p.uuid().primary(),
    context: p.text().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    commit: p.text(),
    state: p.text().$type<CommitStatusState>(),
    description: p.text(),
    /** Raised with every change of what is wanted, so that a request under way cannot settle a newer one. */
    revision: p.integer().default(1),
    sentState: p.text().$type<CommitStatusState>().nullable(),
    attempts: p.integer().default(0),
    /** When it is sent next; null where nothing is to be sent. */
    nextAttemptAt: atOrNull(),
    lastError: textOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
