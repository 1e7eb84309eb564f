import { defineEntity, p } from '@mikro-orm/core';
import type { ExecutionResult, FailureDetail } from '../domain/test-results/result.js';
import { at, json, textOrNull } from './columns.js';

/** One execution of a test in a run: what became of it, how long it took, and why it failed. */
export const SuiteExecutionSchema = defineEntity({
  name: 'SuiteExecution',
  tableName: 'suite_executions',
  indexes: [{ properties: ['runId', 'id'] }, { properties: ['runId', 'result', 'id'] }, { properties: ['testId', 'id'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    suiteId: p.uuid(),
    runId: p.uuid(),
    uploadId: p.uuid(),
    testId: p.uuid(),
    result: p.text().$type<ExecutionResult>(),
    /** Seconds. */
    duration: p.double().nullable(),
    location: textOrNull(),
    fileName: textOrNull(),
    failureReason: textOrNull(),
    failureExpanded: json<FailureDetail[]>().defaultRaw(`'[]'`),
    tags: json<Record<string, string>>().defaultRaw(`'{}'`),
    createdAt: at(),
  },
});
