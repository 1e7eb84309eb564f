import { defineEntity, p } from '@mikro-orm/core';
import type { CommitStatusState } from '../../domain/integrations/status-outcome.js';
import { at, atOrNull, textOrNull } from '../columns.js';

/** Commit statuses of a build at its source provider, one row per context: the desired and the sent one. */
export const CommitStatusSchema = defineEntity({
  name: 'CommitStatus',
  tableName: 'commit_statuses',
  indexes: [
    {
      name: 'commit_statuses_due_index',
      properties: ['nextAttemptAt'],
      expression:
        `create index "commit_statuses_due_index" on "commit_statuses" ("next_attempt_at") where ` +
        `"next_attempt_at" is not null`,
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
    /** Raised with every change of the desired status, so that a request under way cannot mark a newer one as sent. */
    revision: p.integer().default(1),
    attempts: p.integer().default(0),
    /** When it is sent next; null where nothing is to be sent. */
    nextAttemptAt: atOrNull(),
    lastError: textOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
