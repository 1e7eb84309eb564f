import { defineEntity, p } from '@mikro-orm/core';
import type { CommitStatusState, StatusOutcome } from '../../domain/integrations/status-outcome.js';
import type { SentCheck, WantedCheck } from '../../domain/integrations/check-run.js';
import { at, atOrNull, idOrNull, json, textOrNull } from '../columns.js';

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
    {
      name: 'commit_statuses_of_connection_index',
      properties: ['connectionId', 'ofStep', 'nextAttemptAt'],
      expression:
        `create index "commit_statuses_of_connection_index" on "commit_statuses" ("connection_id", "of_step", ` +
        `"next_attempt_at") where "next_attempt_at" is not null`,
    },
    {
      name: 'commit_statuses_of_commit_index',
      properties: ['connectionId', 'commit', 'context'],
      expression:
        `create index "commit_statuses_of_commit_index" on "commit_statuses" ("connection_id", "commit", "context") ` +
        `where "connection_id" is not null`,
    },
  ],
  properties: {
    buildId: p.uuid().primary(),
    context: p.text().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    commit: p.text(),
    /** In the words of GitHub, which releases before `outcome` send. */
    state: p.text().$type<CommitStatusState>(),
    /** Null in rows of releases that had no outcome yet. */
    outcome: p.text().$type<StatusOutcome>().nullable(),
    description: p.text(),
    /** Raised with every change of the desired status, so that a request under way cannot mark a newer one as sent. */
    revision: p.integer().default(1),
    attempts: p.integer().default(0),
    /** When it is sent next; null where nothing is to be sent. */
    nextAttemptAt: atOrNull(),
    lastError: textOrNull(),
    /** The connection that it is sent over; null where it is still to be found. */
    connectionId: idOrNull(),
    /** Path of the repository at the provider; null with the connection. */
    repository: textOrNull(),
    /** Whether it is of a step: statuses of whole builds are sent first. */
    ofStep: p.boolean().default(false),
    /** Until when a request that sends it may be under way. */
    leasedUntilAt: atOrNull(),
    /** The revision that the provider has; null if it has none. */
    sentRevision: p.integer().nullable(),
    /** The newer build of the same commit and context whose status counts in place of this one. */
    supersededById: idOrNull(),
    /** A check run of GitHub in place of a commit status: what it shows; null for a status. */
    checkOutput: json<WantedCheck>().nullable(),
    /** The check run as GitHub has it; null before it has one. */
    checkRun: json<SentCheck>().nullable(),
    createdAt: at(),
    updatedAt: at(),
  },
});
