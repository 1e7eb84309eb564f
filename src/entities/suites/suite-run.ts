import { defineEntity, p } from '@mikro-orm/core';
import type { RunResult, RunState } from '../../domain/suites/suite-run-state.js';
import { at, atOrNull, idOrNull, textOrNull } from '../columns.js';

/** One run of a test suite: all uploads with the same key. */
export const SuiteRunSchema = defineEntity({
  name: 'SuiteRun',
  tableName: 'suite_runs',
  uniques: [{ properties: ['suiteId', 'key'] }],
  indexes: [
    { properties: ['suiteId', 'id'] },
    { properties: ['buildId', 'id'] },
    {
      name: 'suite_runs_commit_index',
      properties: ['suiteId', 'commitSha', 'id'],
      expression:
        `create index "suite_runs_commit_index" on "suite_runs" ("suite_id", "commit_sha", "id") where ` +
        `"commit_sha" is not null`,
    },
    {
      name: 'suite_runs_deadline_index',
      properties: ['deadlineAt'],
      expression:
        `create index "suite_runs_deadline_index" on "suite_runs" ("deadline_at") where "deadline_at" ` + `is not null`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    suiteId: p.uuid(),
    key: p.text(),
    state: p.text().$type<RunState>(),
    result: p.text().$type<RunResult>(),
    /** Build of the key or the URL. */
    buildId: idOrNull(),
    branch: textOrNull(),
    commitSha: textOrNull(),
    message: textOrNull(),
    /** Origin of the uploads. */
    sourceUrl: textOrNull(),
    ci: textOrNull(),
    number: textOrNull(),
    jobId: textOrNull(),
    uploadsCount: p.integer().default(0),
    /** Counts by result; their sum is the number of stored results. */
    passedCount: p.integer().default(0),
    failedCount: p.integer().default(0),
    skippedCount: p.integer().default(0),
    unknownCount: p.integer().default(0),
    /** Executions that are kept: at most `testExecutionsPerRun`. */
    keptCount: p.integer().default(0),
    /** Bytes of the failures that are kept: at most `testRunFailureBytes`. */
    failureBytes: p.integer().default(0),
    createdAt: at(),
    lastUploadAt: at(),
    finishedAt: atOrNull(),
    /** When state or result changes next without an upload; null if never. */
    deadlineAt: atOrNull(),
  },
});
