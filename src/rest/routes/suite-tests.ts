import type { Context } from '../../context.js';
import type { TestState } from '../../domain/test-results/test-state.js';
import { listExecutions } from '../../operations/executions/list.js';
import type { TestSubject } from '../../operations/suite-tests/find-test.js';
import { findSuiteTest } from '../../operations/suite-tests/find.js';
import { getSuiteTest } from '../../operations/suite-tests/get.js';
import { labelSuiteTest } from '../../operations/suite-tests/label.js';
import { listSuiteTests } from '../../operations/suite-tests/list.js';
import { setSuiteTestState } from '../../operations/suite-tests/set-state.js';
import { camelFields } from '../field-names.js';
import { readPage } from '../pagination.js';
import { presentExecution } from '../present/execution.js';
import { presentSuiteTest } from '../present/suite-test.js';
import type { RestRequest } from '../request.js';
import { listRoute, type Route, route } from '../route.js';
import { ofSuite } from './addresses.js';

const all = '/analytics/organizations/{org}/suites/{suite}/tests';
const one = `${all}/{test}`;

const ofTest = (request: RestRequest) => ({ test: { organization: request.param('org'), suite: request.param('suite'), id: request.param('test') } });
const shown = (context: Context, { test }: TestSubject) => presentSuiteTest(context, test);

/** A list of the tests in one state, at an address of its own. */
const inState = (path: 'muted' | 'skipped') =>
  listRoute(listSuiteTests, {
    method: 'get',
    path: `${all}/${path}`,
    variant: path,
    input: (request) => ({ ...ofSuite(request), state: path, paging: readPage(request) }),
    reply: { kind: 'page', schema: 'SuiteTest', present: presentSuiteTest },
  });

const putState = (verb: string, state: TestState) =>
  route(setSuiteTestState, {
    method: 'put',
    path: `${one}/${verb}`,
    variant: verb,
    input: (request) => ({ ...ofTest(request), state }),
    reply: { kind: 'object', status: 200, schema: 'SuiteTest', present: shown },
  });

/** The tests of a suite (rest-facts 3.8). */
export const suiteTestRoutes: Route[] = [
  listRoute(listSuiteTests, {
    method: 'get',
    path: all,
    query: [
      { name: 'label', type: 'string', about: 'A label that the tests have.' },
      { name: 'labels', type: 'list', about: 'Labels that the tests all have.' },
      { name: 'state', type: 'string', about: 'Only tests in this state: enabled, muted or skipped.' },
      { name: 'search', type: 'string', about: 'Part of the name, in any case.' },
    ],
    input: (request) => ({ ...ofSuite(request), state: request.text('state'), labels: labelsOf(request), search: request.text('search'), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'SuiteTest', present: presentSuiteTest },
  }),
  inState('muted'),
  inState('skipped'),
  route(findSuiteTest, {
    method: 'post',
    path: `${all}/find`,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofSuite(request) }),
    reply: { kind: 'object', status: 200, schema: 'SuiteTest', present: shown },
  }),
  route(getSuiteTest, { method: 'get', path: one, input: ofTest, reply: { kind: 'object', status: 200, schema: 'SuiteTest', present: shown } }),
  listRoute(listExecutions, {
    method: 'get',
    path: `${one}/executions`,
    variant: 'of-test',
    query: [{ name: 'result', type: 'string', about: 'Only executions with this result.' }, { name: 'include_failure_expanded', type: 'boolean', about: 'Also give everything that is known about the failure.' }],
    refuses: [422],
    input: (request) => ({ of: ofTest(request), result: request.text('result'), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'SuiteExecution', present: (context, execution, request) => presentExecution(context, execution, { result: true, expanded: request.flag('include_failure_expanded') === true }) },
  }),
  route(labelSuiteTest, {
    method: 'patch',
    path: `${one}/labels`,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofTest(request) }),
    reply: { kind: 'object', status: 200, schema: 'SuiteTest', present: shown },
  }),
  putState('skip', 'skipped'),
  putState('mute', 'muted'),
  putState('enable', 'enabled'),
];

function labelsOf(request: RestRequest): string[] | undefined {
  const given = [...(request.list('label') ?? []), ...(request.list('labels') ?? []).flatMap((labels) => labels.split(','))].filter((label) => label !== '');
  return given.length > 0 ? given : undefined;
}
