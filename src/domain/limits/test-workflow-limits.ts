/** The limits of workflows of test suites; part of `limits`. */
export const testWorkflowLimits = {
  /** Workflows of a suite: choice. */
  testWorkflows: 10,
  /** Tag filters of a workflow: compatible. */
  testWorkflowTagFilters: 4,
  /** Actions of a workflow on alarm, and as many on recover: choice. */
  testWorkflowActions: 8,
  /** Executions that a monitor looks back on: compatible. */
  testWorkflowWindow: 100,
  /** Seconds of a threshold of durations: choice. */
  testWorkflowSeconds: 86_400,
  /** Characters of the text of a message of Slack: choice. */
  testWorkflowMessageLength: 1_000,
  /** Events of one workflow in a minute; what more there would be is dropped: compatible. */
  testWorkflowEventsPerMinute: 500,
  /** Events that are kept of a workflow, the newest: choice. */
  testWorkflowEventsKept: 2_000,
  /** Days for which an event of a workflow is kept: choice. */
  testWorkflowEventDays: 90,
} as const;
