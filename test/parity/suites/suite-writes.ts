import type { GraphqlCall, RestCall } from '../../support/both-surfaces.js';

const all = '/analytics/organizations/acme/suites';

/** One write operation, as a REST and a GraphQL request. */
export interface SuiteWrite {
  tells: string;
  operation: string;
  /** Whether the write changes nothing and so records no event. */
  noEvent?: true;
  rest: (at: { suite: string; test: string; execution: string }) => RestCall;
  graphql: (at: { suite: string; test: string; execution: string; organization: string }) => GraphqlCall;
}
const inputTypes: Record<string, string> = {
  suiteCreate: 'SuiteCreateInput',
  suiteUpdate: 'SuiteUpdateInput',
  suiteDelete: 'SuiteDeleteInput',
  suiteExecutionTagsUpdate: 'SuiteExecutionTagsUpdateInput',
  suiteTestLabel: 'SuiteTestLabelInput',
  suiteTestUpdate: 'SuiteTestUpdateInput',
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
    tells: 'deleting a suite',
    operation: 'suite.delete',
    rest: () => ['delete', `${all}/front-end`],
    graphql: ({ suite }) => mutation('suiteDelete', { id: suite }),
  },
];
