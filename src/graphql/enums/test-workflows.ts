import type { ActionType } from '../../domain/suites/workflows/action.js';
import type { WorkflowEvent } from '../../domain/suites/workflows/measure.js';
import type { MonitorType } from '../../domain/suites/workflows/monitor.js';
import { declare } from './declare.js';

export const TestMonitorTypes = declare(
  'TestMonitorTypes',
  'Measure of tests at which a workflow of a test suite looks.',
  {
    transition_count: 'Changes between a pass and a failure among the latest results, divided by their number.',
    passed_on_retry: 'A pass and a failure on one commit.',
    new_test: 'The first execution of a test.',
    duration: 'The median of the durations of the latest executions.',
  } satisfies Record<MonitorType, string>,
);

export const TestWorkflowActionTypes = declare('TestWorkflowActionTypes', 'Action of a workflow of a test suite.', {
  add_label: 'Adds a label to the test.',
  remove_label: 'Removes a label from the test.',
  change_state: 'Enables, mutes or skips the test.',
  webhook: 'Posts the event to a URL.',
  slack: 'Writes to a channel of Slack.',
} satisfies Record<ActionType, string>);

export const TestWorkflowEvents = declare('TestWorkflowEvents', 'Change of a test in a workflow.', {
  alarm: 'The test got into alarm.',
  recover: 'The test has recovered.',
} satisfies Record<WorkflowEvent, string>);
