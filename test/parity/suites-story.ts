import type { GraphqlCall, RestCall } from '../support/both-doors.js';

const all = '/analytics/organizations/acme/suites';

/** One write, said at both doors. */
export interface SuiteWrite {
  tells: string;
  operation: string;
  /** It changes nothing, so nothing is told of it. */
  noEvent?: true;
  rest: (at: { suite: string; test: string }) => RestCall;
  graphql: (at: { suite: string; test: string; organization: string }) => GraphqlCall;
}
const inputTypes: Record<string, string> = { suiteCreate: 'SuiteCreateInput', suiteUpdate: 'SuiteUpdateInput', suiteDelete: 'SuiteDeleteInput', suiteTestLabel: 'SuiteTestLabelInput', suiteTestUpdate: 'SuiteTestUpdateInput' };
/** A mutation with this input. */
export const mutation = (name: string, input: object): GraphqlCall => [`mutation ($input: ${inputTypes[name]}!) { ${name}(input: $input) { clientMutationId } }`, { input }];

/** What happens to a suite, in order. */
export const suiteStory: SuiteWrite[] = [
  {
    tells: 'made', operation: 'suite.create',
    rest: () => ['post', all, { name: 'Front End', default_branch: 'main', application_name: 'App', color: '#abc', emoji: ':x:', show_api_token: true }],
    graphql: ({ organization }) => mutation('suiteCreate', { organizationID: organization, name: 'Front End', defaultBranch: 'main', applicationName: 'App', color: '#abc', emoji: ':x:', showApiToken: true }),
  },
  { tells: 'changed', operation: 'suite.update', rest: () => ['patch', `${all}/front-end`, { name: 'New', emoji: null }], graphql: ({ suite }) => mutation('suiteUpdate', { id: suite, name: 'New', emoji: null }) },
  { tells: 'changed by nothing', operation: 'suite.update', noEvent: true, rest: () => ['patch', `${all}/front-end`, {}], graphql: ({ suite }) => mutation('suiteUpdate', { id: suite }) },
  { tells: 'labelled', operation: 'suite-test.label', rest: ({ test }) => ['patch', `${all}/front-end/tests/${test}/labels`, { operator: 'add', labels: ['slow'] }], graphql: ({ test }) => mutation('suiteTestLabel', { id: test, operator: 'ADD', labels: ['slow'] }) },
  { tells: 'muted', operation: 'suite-test.set-state', rest: ({ test }) => ['put', `${all}/front-end/tests/${test}/mute`], graphql: ({ test }) => mutation('suiteTestUpdate', { id: test, state: 'MUTED' }) },
  { tells: 'deleted', operation: 'suite.delete', rest: () => ['delete', `${all}/front-end`], graphql: ({ suite }) => mutation('suiteDelete', { id: suite }) },
];
