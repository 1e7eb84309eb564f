import type { Context } from '../../../request/context.js';
import { executionResults } from '../../../domain/suites/results/result.js';
import type { TestState } from '../../../domain/suites/results/test-state.js';
import { Problem } from '../../../domain/problem.js';
import { testPeriods } from '../../../domain/suites/test-window.js';
import { listExecutions } from '../../../operations/suites/suite-executions/list.js';
import type { TestSubject } from '../../../resources/suites/suite-tests/find-test.js';
import { findSuiteTest } from '../../../operations/suites/suite-tests/find-by-name.js';
import { getSuiteTest } from '../../../operations/suites/suite-tests/get.js';
import { labelSuiteTest } from '../../../operations/suites/suite-tests/label.js';
import { listSuiteTests } from '../../../operations/suites/suite-tests/list.js';
import { setSuiteTestState } from '../../../operations/suites/suite-tests/set-state.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentExecution } from '../../present/suites/execution.js';
import { presentFlakyTest, presentSuiteTest } from '../../present/suites/suite-test.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { readTestFilters, testQuery } from './test-filters.js';
import { ofSuite } from '../addresses.js';

const all = '/analytics/organizations/{org}/suites/{suite}/tests';
const one = `${all}/{test}`;

const ofTest = (request: RestRequest) => ({
  test: { organization: request.param('org'), suite: request.param('suite'), id: request.param('test') },
});
const present = (context: Context, { test }: TestSubject) => presentSuiteTest(context, test);

/** A list of the tests in one state, at an address of its own. */
const inState = (path: 'muted' | 'skipped') =>
  listRoute(listSuiteTests, {
    method: 'get',
    path: `${all}/${path}`,
    versioned: true,
    variant: path,
    input: (request) => ({ ...ofSuite(request), state: path, paging: readPage(request) }),
    reply: { kind: 'page', schema: 'SuiteTest', present: presentSuiteTest },
  });

const putState = (verb: string, state: TestState) =>
  route(setSuiteTestState, {
    method: 'put',
    path: `${one}/${verb}`,
    variant: verb,
    takesBody: state !== 'enabled',
    input: (request) => ({ ...camelFields(request.body), ...ofTest(request), state }),
    reply: { kind: 'object', status: 200, schema: 'SuiteTest', present },
  });

/** The tests of a suite. */
export const suiteTestRoutes: Route[] = [
  listRoute(listSuiteTests, {
    method: 'get',
    path: all,
    versioned: true,
    query: [
      { name: 'label', type: 'string', description: 'Only tests with this label, in place of `labels`.' },
      ...testQuery,
      {
        name: 'period',
        type: 'string',
        values: testPeriods,
        description: 'How far back from now executions count, seven days by default.',
      },
      { name: 'min_timestamp', type: 'time', description: 'Only executions of runs since this time count.' },
      { name: 'max_timestamp', type: 'time', description: 'Only executions of runs before this time count.' },
      { name: 'search', type: 'string', description: 'Only rows whose name contains this text; case is ignored.' },
    ],
    refuses: [422],
    input: (request) => ({
      ...readTestFilters(request),
      ...ofLabel(request),
      ...ofSuite(request),
      period: request.text('period'),
      minTimestamp: request.time('min_timestamp'),
      maxTimestamp: request.time('max_timestamp'),
      search: request.text('search'),
      paging: readPage(request),
    }),
    reply: { kind: 'page', schema: 'SuiteTest', present: presentSuiteTest },
  }),
  listRoute(listSuiteTests, {
    method: 'get',
    path: '/analytics/organizations/{org}/suites/{suite}/flaky-tests',
    variant: 'flaky',
    input: (request) => ({ ...ofSuite(request), flaky: true, paging: readPage(request) }),
    reply: { kind: 'page', schema: 'FlakyTest', present: presentFlakyTest },
  }),
  inState('muted'),
  inState('skipped'),
  route(findSuiteTest, {
    method: 'post',
    path: `${all}/find`,
    versioned: true,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofSuite(request) }),
    reply: { kind: 'object', status: 200, schema: 'SuiteTest', present },
  }),
  route(getSuiteTest, {
    method: 'get',
    path: one,
    versioned: true,
    input: ofTest,
    reply: { kind: 'object', status: 200, schema: 'SuiteTest', present },
  }),
  listRoute(listExecutions, {
    method: 'get',
    path: `${one}/executions`,
    variant: 'of-test',
    query: [
      { name: 'result', type: 'string', values: executionResults, description: 'Only executions with this result.' },
      {
        name: 'include_failure_expanded',
        type: 'boolean',
        description: 'Shows `failure_expanded`: the details of the failure.',
      },
    ],
    refuses: [422],
    input: (request) => ({ of: ofTest(request), result: request.text('result'), paging: readPage(request) }),
    reply: {
      kind: 'page',
      schema: 'SuiteExecution',
      present: (context, execution, request) =>
        presentExecution(context, execution, {
          result: true,
          expanded: request.flag('include_failure_expanded') === true,
        }),
    },
  }),
  route(labelSuiteTest, {
    method: 'patch',
    path: `${one}/labels`,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofTest(request) }),
    reply: { kind: 'object', status: 200, schema: 'SuiteTest', present },
  }),
  putState('skip', 'skipped'),
  putState('mute', 'muted'),
  putState('enable', 'enabled'),
];

/** `label` is the older parameter, for one label as it is. */
function ofLabel(request: RestRequest): { labels?: string[] } {
  const label = request.text('label');
  if (label === undefined) return {};
  if (request.list('labels')) throw new Problem('malformed', 'Use either label or labels');
  return { labels: [label] };
}
