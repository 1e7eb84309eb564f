import type { GraphqlCall, RestCall } from '../../support/both-surfaces.js';

const all = '/analytics/organizations/acme/suites';

/** One write operation, as a REST and a GraphQL request. */
export interface SuiteWrite {
  tells: string;
  operation: string;
  /** Whether the write changes nothing and so records no event. */
  noEvent?: true;
  /** Whether the write is none of those that the audit log has. */
  noAudit?: true;
  rest: (at: { suite: string; test: string; execution: string; workflow: string }) => RestCall;
  graphql: (at: {
    suite: string;
    test: string;
    execution: string;
    workflow: string;
    organization: string;
  }) => GraphqlCall;
}
const inputTypes: Record<string, string> = {
  suiteCreate: 'SuiteCreateInput',
  suiteUpdate: 'SuiteUpdateInput',
  suiteDelete: 'SuiteDeleteInput',
  suiteExecutionTagsUpdate: 'SuiteExecutionTagsUpdateInput',
  suiteTestLabel: 'SuiteTestLabelInput',
  suiteTestPlanCreate: 'SuiteTestPlanCreateInput',
  suiteTestPlanReport: 'SuiteTestPlanReportInput',
  suiteTestUpdate: 'SuiteTestUpdateInput',
  suiteWorkflowCreate: 'SuiteWorkflowCreateInput',
  suiteWorkflowDelete: 'SuiteWorkflowDeleteInput',
  suiteWorkflowUpdate: 'SuiteWorkflowUpdateInput',
};
/** A GraphQL mutation with this input. */
export const mutation = (name: string, input: object): GraphqlCall => [
  `mutation ($input: ${inputTypes[name]}!) { ${name}(input: $input) { clientMutationId } }`,
  { input },
];

/** The writes to a suite, in order. */
export const suiteWrites: SuiteWrite[] = [
  {
    tells: 'creating a suite',
    operation: 'suite.create',
    rest: () => [
      'post',
      all,
      {
        name: 'Front End',
        default_branch: 'main',
        application_name: 'App',
        color: '#abc',
        emoji: ':x:',
        show_api_token: true,
      },
    ],
    graphql: ({ organization }) =>
      mutation('suiteCreate', {
        organizationID: organization,
        name: 'Front End',
        defaultBranch: 'main',
        applicationName: 'App',
        color: '#abc',
        emoji: ':x:',
        showApiToken: true,
      }),
  },
  {
    tells: 'updating a suite',
    operation: 'suite.update',
    rest: () => ['patch', `${all}/front-end`, { name: 'New', emoji: null }],
    graphql: ({ suite }) => mutation('suiteUpdate', { id: suite, name: 'New', emoji: null }),
  },
  {
    tells: 'an update without any change',
    operation: 'suite.update',
    noEvent: true,
    rest: () => ['patch', `${all}/front-end`, {}],
    graphql: ({ suite }) => mutation('suiteUpdate', { id: suite }),
  },
  {
    tells: 'labeling a test',
    operation: 'suite-test.label',
    rest: ({ test }) => ['patch', `${all}/front-end/tests/${test}/labels`, { operator: 'add', labels: ['slow'] }],
    graphql: ({ test }) => mutation('suiteTestLabel', { id: test, operator: 'ADD', labels: ['slow'] }),
  },
  {
    tells: 'muting a test',
    operation: 'suite-test.set-state',
    rest: ({ test }) => ['put', `${all}/front-end/tests/${test}/mute`],
    graphql: ({ test }) => mutation('suiteTestUpdate', { id: test, state: 'MUTED' }),
  },
  {
    tells: 'tagging an execution',
    operation: 'execution.update-tags',
    rest: ({ execution }) => [
      'put',
      `${all}/front-end/execution-tags`,
      { executions: [{ id: execution, tags: { 'mut.reason': 'timeout', 'mut.label': 'slow' } }] },
    ],
    graphql: ({ suite, execution }) =>
      mutation('suiteExecutionTagsUpdate', {
        id: suite,
        executions: [
          {
            id: execution,
            tags: [
              { key: 'mut.reason', value: 'timeout' },
              { key: 'mut.label', value: 'slow' },
            ],
          },
        ],
      }),
  },
  {
    tells: 'planning tests',
    operation: 'test-plan.create',
    noEvent: true,
    noAudit: true,
    rest: () => [
      'post',
      `${all}/front-end/test_plan`,
      {
        identifier: 'build/step',
        branch: 'main',
        parallelism: 2,
        location_prefix: 'app',
        tests: {
          files: [{ path: 'a' }],
          examples: [{ path: 'b[1]', identifier: 'b[1]', name: 'c', scope: 'd' }],
          selectors: [{ value: 'e' }],
        },
      },
    ],
    graphql: ({ suite }) =>
      mutation('suiteTestPlanCreate', {
        id: suite,
        identifier: 'build/step',
        branch: 'main',
        parallelism: 2,
        locationPrefix: 'app',
        files: ['a'],
        examples: [{ path: 'b[1]', identifier: 'b[1]', name: 'c', scope: 'd' }],
        selectors: ['e'],
      }),
  },
  {
    tells: 'reporting on a plan of tests',
    operation: 'test-plan.report',
    noEvent: true,
    noAudit: true,
    rest: () => [
      'post',
      `${all}/front-end/test_plan_metadata`,
      {
        version: 'v3.0.0',
        env: { BUILDKITE_TEST_ENGINE_IDENTIFIER: 'build/step', BUILDKITE_PARALLEL_JOB: 1 },
        timeline: [
          { timestamp: '2026-06-20T04:46:00Z', event: 'test_start' },
          { timestamp: '2026-06-20T04:47:30Z', event: 'test_end' },
        ],
        statistics: { total: 9, failed: 1, passed_on_retry: 2, muted_failed: 3 },
      },
    ],
    graphql: ({ suite }) =>
      mutation('suiteTestPlanReport', {
        id: suite,
        identifier: 'build/step',
        node: 1,
        version: 'v3.0.0',
        duration: 90,
        testsCount: 9,
        failedCount: 1,
        passedOnRetryCount: 2,
        mutedFailedCount: 3,
      }),
  },
  {
    tells: 'creating a workflow',
    operation: 'test-workflow.create',
    rest: () => [
      'post',
      `${all}/front-end/workflows`,
      {
        name: 'Slow',
        enabled: false,
        monitor: { type: 'duration', branch: 'main', window: 3, alarm: 2.5, recover: 1 },
        tag_filters: ['os:linux'],
        alarm_actions: [
          { type: 'change_state', state: 'muted' },
          { type: 'slack', channel: '#ci', message: 'Slow' },
        ],
        recover_actions: [{ type: 'webhook', url: 'https://example.com/hook' }],
      },
    ],
    graphql: ({ suite }) =>
      mutation('suiteWorkflowCreate', {
        id: suite,
        name: 'Slow',
        enabled: false,
        monitor: { type: 'DURATION', branch: 'main', window: 3, alarm: 2.5, recover: 1 },
        tagFilters: ['os:linux'],
        alarmActions: [
          { type: 'CHANGE_STATE', state: 'MUTED' },
          { type: 'SLACK', channel: '#ci', message: 'Slow' },
        ],
        recoverActions: [{ type: 'WEBHOOK', url: 'https://example.com/hook' }],
      }),
  },
  {
    tells: 'updating a workflow',
    operation: 'test-workflow.update',
    rest: ({ workflow }) => [
      'patch',
      `${all}/front-end/workflows/${workflow}`,
      { enabled: true, monitor: { type: 'new_test' }, tag_filters: [], recover_actions: [] },
    ],
    graphql: ({ workflow }) =>
      mutation('suiteWorkflowUpdate', {
        id: workflow,
        enabled: true,
        monitor: { type: 'NEW_TEST' },
        tagFilters: [],
        recoverActions: [],
      }),
  },
  {
    tells: 'an update of a workflow without any change',
    operation: 'test-workflow.update',
    noEvent: true,
    rest: ({ workflow }) => ['patch', `${all}/front-end/workflows/${workflow}`, { monitor: { type: 'new_test' } }],
    graphql: ({ workflow }) => mutation('suiteWorkflowUpdate', { id: workflow, monitor: { type: 'NEW_TEST' } }),
  },
  {
    tells: 'deleting a workflow',
    operation: 'test-workflow.delete',
    rest: ({ workflow }) => ['delete', `${all}/front-end/workflows/${workflow}`],
    graphql: ({ workflow }) => mutation('suiteWorkflowDelete', { id: workflow }),
  },
  {
    tells: 'deleting a suite',
    operation: 'suite.delete',
    rest: () => ['delete', `${all}/front-end`],
    graphql: ({ suite }) => mutation('suiteDelete', { id: suite }),
  },
];
