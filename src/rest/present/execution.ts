import type { Context } from '../../context.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { SuiteExecutionRow } from '../../entities/database.js';
import { Urls } from './urls.js';
import { existing } from './values.js';

/** What of an execution is shown beside what it always says. */
export interface ExecutionView {
  /** Lists of failed ones need not say what they are. */
  result: boolean;
  /** Everything that is known about the failure. */
  expanded: boolean;
}

/** An execution with the run and the test it belongs to (rest-facts 2.6). It stands on its test's page. */
export async function presentExecution(context: Context, execution: SuiteExecutionRow, view: ExecutionView): Promise<JsonObject> {
  const [organizationRow, suiteRow, runRow, testRow] = await Promise.all([
    context.load.organization.load(execution.organizationId),
    context.load.suite.load(execution.suiteId),
    context.load.suiteRun.load(execution.runId),
    context.load.suiteTest.load(execution.testId),
  ]);
  const suite = existing(suiteRow, 'a suite');
  const organization = existing(organizationRow, 'an organization');
  const run = existing(runRow, 'a run');
  const test = existing(testRow, 'a test');
  const urls = Urls.of(context);
  const testUrl = urls.test(organization, suite, test.id).web;
  return {
    execution_id: execution.id,
    run_id: run.id,
    test_id: test.id,
    run_name: run.message ?? run.key,
    commit_sha: run.commitSha ?? '',
    created_at: formatTime(execution.createdAt),
    branch: run.branch ?? '',
    ...(view.result ? { result: execution.result } : {}),
    failure_reason: execution.failureReason,
    ...(view.expanded ? { failure_expanded: execution.failureExpanded } : {}),
    duration: execution.duration,
    location: execution.location,
    test_name: test.name,
    run_url: urls.run(organization, suite, run.id).web,
    test_url: testUrl,
    test_execution_url: `${testUrl}#${execution.id}`,
    tags: execution.tags,
  };
}
