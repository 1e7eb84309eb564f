import { defineEntity, p } from '@mikro-orm/core';
import type { ExecutionResult, FailureDetail } from '../../domain/suites/results/result.js';
import { at, json, textOrNull } from '../columns.js';

/** One execution of a test in a run: result, duration and failure. */
export const SuiteExecutionSchema = defineEntity({
  name: 'SuiteExecution',
  tableName: 'suite_executions',
  indexes: [
    { properties: ['runId', 'id'] },
    { properties: ['runId', 'result', 'id'] },
    { properties: ['testId', 'id'] },
  ],
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
