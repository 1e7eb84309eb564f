import type { JsonObject } from '../../pipelines/steps/step.js';
import { recovery } from '../flaky/flaky.js';
import type { Measured, WorkflowEvent } from './measure.js';
import type { Monitor } from './monitor.js';

/** The execution that an event of a workflow came with. */
export interface SeenExecution {
  id: string;
  /** Time of the execution as texts have it. */
  timestamp: string;
  runId: string;
  commit: string | null;
  branch: string | null;
}

/** Commits on which a test has passed and failed, within the window of their monitor. */
export interface RetriedCommits {
  commits: number;
  executions: number;
  days: number;
}

const executionFacts = ({ id, timestamp, runId, commit, branch }: SeenExecution): JsonObject => ({
  execution_id: id,
  timestamp,
  execution_run_id: runId,
  execution_commit_sha: commit,
  execution_branch: branch,
});

/** Commits in the window at which a test gets into alarm, and at which it has recovered. */
const commitThresholds = { high: 1, low: 0 } as const;

/** What an event of `passed_on_retry` says, as the field knows it. */
export const retriedFacts = (execution: SeenExecution, { commits, executions, days }: RetriedCommits): JsonObject => ({
  type: 'passed_on_retry',
  ...executionFacts(execution),
  window_days: recovery.days,
  window_executions: recovery.executions,
  commit_count_threshold_high: commitThresholds.high,
  commit_count_threshold_low: commitThresholds.low,
  executions_in_window: executions,
  days_in_window: days,
  commit_count: commits,
});

/** What an event of a measuring monitor says: its names are ours, modelled on those of `passed_on_retry`. */
export function measuredFacts(execution: SeenExecution, monitor: Monitor, { value, executions }: Measured): JsonObject {
  const { type, branch, window, alarm, recover } = monitor;
  const score = type === 'duration' ? 'duration_p50' : 'score';
  return {
    type,
    ...executionFacts(execution),
    branch_filter: branch,
    [score]: value,
    [`${score}_threshold_high`]: alarm,
    [`${score}_threshold_low`]: recover,
    window_executions: window,
    executions_in_window: executions,
  };
}

/** What an event of `new_test` says. */
export const newTestFacts = (execution: SeenExecution): JsonObject => ({
  type: 'new_test',
  ...executionFacts(execution),
});

/** The test that a payload is about. */
interface SubjectOfEvent {
  id: string;
  scope: string;
  name: string;
  location: string | null;
  url: string;
}

/** The body that webhooks of a workflow get. */
export function workflowPayload(
  event: WorkflowEvent,
  { id, scope, name, location, url }: SubjectOfEvent,
  workflow: { id: string; url: string },
  facts: JsonObject,
): JsonObject {
  return {
    subject: {
      type: 'test',
      test_id: id,
      test_full_name: [scope, name].filter((part) => part !== '').join(' '),
      test_location: location,
      test_url: url,
    },
    workflow_id: workflow.id,
    workflow_url: workflow.url,
    event: `workflow.${event}`,
    workflow_event: facts,
  };
}
