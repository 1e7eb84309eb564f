import type { ExecutionResult } from '../../domain/suites/results/result.js';
import type { TestState } from '../../domain/suites/results/test-state.js';
import type { TargetFormat } from '../../domain/suites/test-plans/test-plan.js';
import type { RunResult, RunState } from '../../domain/suites/suite-run-state.js';
import { declare, listOrders } from './declare.js';

export const SuiteAccessLevels = declare('SuiteAccessLevels', 'Access of a team to a test suite.', {
  manage_and_read: 'View and edit the test suite.',
  read_only: 'View the test suite.',
});

export const SuiteOrders = declare('SuiteOrders', 'Order of test suites.', listOrders);

export const SuiteRunStates = declare('SuiteRunStates', 'State of a run of a test suite.', {
  running: 'The run may receive more uploads, or uploads are being processed.',
  finished: 'Every upload is processed and none has arrived for a while.',
} satisfies Record<RunState, string>);

export const SuiteRunResults = declare('SuiteRunResults', 'Result of a run of a test suite.', {
  pending: 'No upload of the run is processed yet.',
  passed: 'No execution of the run failed.',
  failed: 'At least one execution of the run failed.',
  stale: 'No result of the run arrived in time.',
} satisfies Record<RunResult, string>);

export const SuiteExecutionResults = declare('SuiteExecutionResults', 'Result of one execution of a test.', {
  passed: 'The test passed.',
  failed: 'The test failed.',
  skipped: 'The test runner skipped the test.',
  pending: 'The test runner marked the test as pending.',
  unknown: 'The upload has no result of the execution.',
} satisfies Record<ExecutionResult, string>);

export const SuiteTestStates = declare('SuiteTestStates', 'Treatment of a test by test runners.', {
  enabled: 'Test runners run the test and count its result.',
  muted: 'Test runners run the test and ignore its failures.',
  skipped: 'Test runners do not run the test.',
} satisfies Record<TestState, string>);

export const SuiteTestPlanFormats = declare('SuiteTestPlanFormats', 'Kind of thing that a test plan hands out.', {
  file: 'Whole file of tests.',
  example: 'One example of a file.',
  selector: 'Text that only the test runner understands.',
} satisfies Record<TargetFormat, string>);

export const SuiteTestLabelOperator = declare('SuiteTestLabelOperator', 'Change to the labels of a test.', {
  add: 'Adds the labels.',
  remove: 'Removes the labels.',
});

export const BuildTestMetrics = declare('BuildTestMetrics', 'Metric that tests are sorted by.', {
  duration_avg: 'Average duration.',
  duration_max: 'Longest duration.',
  duration_min: 'Shortest duration.',
  duration_sum: 'Sum of the durations.',
  reliability: 'Share of passed executions among those that passed or failed.',
});

export const BuildTestOrders = declare('BuildTestOrders', 'Direction in which tests are sorted.', {
  asc: 'Smallest first.',
  desc: 'Largest first.',
});
