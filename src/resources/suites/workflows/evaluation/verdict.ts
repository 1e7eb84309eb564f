import type { JsonObject } from '../../../../domain/pipelines/steps/step.js';
import type { SeenExecution } from '../../../../domain/suites/workflows/event-facts.js';
import type { WorkflowAction } from '../../../../domain/suites/workflows/action.js';
import type { WorkflowEvent } from '../../../../domain/suites/workflows/measure.js';
import { formatTime } from '../../../../domain/time.js';
import type { SuiteRunRow, SuiteTestRow, TestWorkflowRow } from '../../../../entities/database.js';
import type { Context } from '../../../../request/context.js';
import type { StoredExecution } from '../../uploads/store-executions.js';
import type { NewState } from './states.js';

/** What a workflow says of a test: it got into alarm, or recovered. */
export interface Verdict {
  testId: string;
  event: WorkflowEvent;
  facts: JsonObject;
}

/** What a workflow says of the tests of an upload, and what it remembers of them from now on. */
export interface Judgment {
  verdicts: Verdict[];
  states: NewState[];
}

/** A verdict that is an event of its workflow. */
export interface WorkflowVerdict extends Verdict {
  /** Of the event. */
  id: string;
  workflow: TestWorkflowRow;
}

/** A test as actions see it. */
export type ActedTest = Pick<SuiteTestRow, 'id' | 'scope' | 'name' | 'location' | 'labels' | 'state'>;

/** A verdict with its test as it was before. */
export interface TestVerdict {
  verdict: WorkflowVerdict;
  test: ActedTest;
  actions: readonly WorkflowAction[];
  /** Why actions did nothing, a sentence each. */
  problems: string[];
}

/** The executions of an upload that count for a workflow, by test in the order of ids. */
export type ExecutionsByTest = ReadonlyMap<string, readonly StoredExecution[]>;

/** The latest of the executions of a test, as events name it. */
export function latestOf(context: Context, run: SuiteRunRow, executions: readonly StoredExecution[]): SeenExecution {
  const id = executions.at(-1)?.id ?? '';
  return { id, timestamp: formatTime(context.now), runId: run.id, commit: run.commitSha, branch: run.branch };
}
