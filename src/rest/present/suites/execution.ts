import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { FailureDetail } from '../../../domain/suites/results/result.js';
import { formatTime } from '../../../domain/time.js';
import type { SuiteExecutionRow, SuiteRunRow, SuiteTestRow } from '../../../entities/database.js';
import {
  arrayOf,
  described,
  enumOf,
  integer,
  mapOf,
  nullable,
  number,
  object,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { field, optionalField, resource } from '../fields.js';
import { Urls } from '../urls.js';
import { existing } from '../values.js';

/** The optional parts of an execution that a reply shows. */
export interface ExecutionView {
  /** Shows `result`, which lists of failed executions leave out. */
  result: boolean;
  /** Shows `failure_expanded`. */
  expanded: boolean;
}

interface ExecutionSource {
  execution: SuiteExecutionRow;
  /** Null where they are not shown. */
  failureExpanded: FailureDetail[] | null;
  run: SuiteRunRow;
  test: SuiteTestRow;
  runUrl: string;
  testUrl: string;
  view: ExecutionView;
}

const failureSchema = object({
  expanded: described(arrayOf(text), 'Lines of the failure message.'),
  backtrace: described(arrayOf(text), 'Lines of the backtrace.'),
});

/** An execution of a test, with its run and its test. */
export const suiteExecutionResource = resource<ExecutionSource>({
  execution_id: field(uuid, 'ID of the execution.', ({ execution }) => execution.id),
  run_id: field(uuid, 'ID of the run.', ({ run }) => run.id),
  test_id: field(uuid, 'ID of the test.', ({ test }) => test.id),
  run_name: field(text, 'Message of the run, or its key if it has none.', ({ run }) => run.message ?? run.key),
  commit_sha: field(text, 'Commit that was tested; empty if no upload named it.', ({ run }) => run.commitSha ?? ''),
  created_at: field(time, 'Time the execution was uploaded.', ({ execution }) => formatTime(execution.createdAt)),
  branch: field(text, 'Branch that was tested; empty if no upload named it.', ({ run }) => run.branch ?? ''),
  result: optionalField(
    enumOf('passed', 'failed', 'skipped', 'pending', 'unknown'),
    'Result of the execution; absent in lists of failed executions.',
    ({ execution, view }) => (view.result ? execution.result : undefined),
  ),
  failure_reason: field(nullable(text), 'Reason of the failure.', ({ execution }) => execution.failureReason),
  failure_expanded: optionalField(
    arrayOf(failureSchema),
    'Details of the failure; present with `include_failure_expanded`.',
    ({ failureExpanded }) => failureExpanded ?? undefined,
  ),
  duration: field(nullable(number), 'Duration in seconds.', ({ execution }) => execution.duration),
  location: field(nullable(text), 'File and line of the test.', ({ execution }) => execution.location),
  test_name: field(text, 'Name of the test.', ({ test }) => test.name),
  run_url: field(url, 'URL of the page of the run.', ({ runUrl }) => runUrl),
  test_url: field(url, 'URL of the page of the test.', ({ testUrl }) => testUrl),
  test_execution_url: field(
    url,
    'URL of the execution on the page of the test.',
    ({ testUrl, execution }) => `${testUrl}#${execution.id}`,
  ),
  tags: field(mapOf(text), 'Tags of the execution.', ({ execution }) => execution.tags),
});

export async function presentExecution(
  context: Context,
  execution: SuiteExecutionRow,
  view: ExecutionView,
): Promise<JsonObject> {
  const [organizationRow, suiteRow, runRow, testRow, failureExpanded] = await Promise.all([
    context.load.organization.load(execution.organizationId),
    context.load.suite.load(execution.suiteId),
    context.load.suiteRun.load(execution.runId),
    context.load.suiteTest.load(execution.testId),
    view.expanded ? context.load.longTexts.failureDetails.load(execution.id) : null,
  ]);
  const organization = existing(organizationRow, 'an organization');
  const suite = existing(suiteRow, 'a suite');
  const run = existing(runRow, 'a run');
  const test = existing(testRow, 'a test');
  const urls = Urls.of(context);
  const runUrl = urls.run(organization, suite, run.id).web;
  const testUrl = urls.test(organization, suite, test.id).web;
  return suiteExecutionResource.present({ execution, failureExpanded, run, test, runUrl, testUrl, view });
}

/** What tagging executions changed. */
export const taggedExecutionsResource = resource<{ tagged: number }>({
  executions_count: field(integer, 'Number of executions whose mutable tags were replaced.', ({ tagged }) => tagged),
});
