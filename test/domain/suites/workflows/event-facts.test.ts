import { newTestFacts, retriedFacts, workflowPayload } from '../../../../src/domain/suites/workflows/event-facts.js';

const execution = { id: 'E', timestamp: 'T', runId: 'R', commit: 'C', branch: 'main' };

test('the body of a webhook has the fields that the field knows, and no others', () => {
  const test = { id: 'I', scope: 'User', name: 'saves', location: 'a:1', url: 'https://ci/t' };
  const facts = retriedFacts(execution, { commits: 1, executions: 12, days: 3 });
  expect(workflowPayload('alarm', test, { id: 'W', url: 'https://ci/w' }, facts)).toEqual({
    subject: {
      type: 'test',
      test_id: 'I',
      test_full_name: 'User saves',
      test_location: 'a:1',
      test_url: 'https://ci/t',
    },
    workflow_id: 'W',
    workflow_url: 'https://ci/w',
    event: 'workflow.alarm',
    workflow_event: {
      type: 'passed_on_retry',
      execution_id: 'E',
      timestamp: 'T',
      execution_run_id: 'R',
      execution_commit_sha: 'C',
      execution_branch: 'main',
      window_days: 7,
      window_executions: 100,
      commit_count_threshold_high: 1,
      commit_count_threshold_low: 0,
      executions_in_window: 12,
      days_in_window: 3,
      commit_count: 1,
    },
  });
});

test('a test without a scope has its name alone', () => {
  const test = { id: 'I', scope: '', name: 'saves', location: null, url: 'U' };
  const { subject } = workflowPayload('recover', test, { id: 'W', url: 'V' }, newTestFacts(execution));
  expect(subject).toMatchObject({ test_full_name: 'saves', test_location: null });
});
