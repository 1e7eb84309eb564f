import type { Context } from '../../context.js';
import { listExecutions } from '../../operations/executions/list.js';
import { getRun } from '../../operations/runs/get.js';
import { listRuns } from '../../operations/runs/list.js';
import { createSuite } from '../../operations/suites/create.js';
import { deleteSuite } from '../../operations/suites/delete.js';
import { getSuite } from '../../operations/suites/get.js';
import { listSuites } from '../../operations/suites/list.js';
import type { ShownSuite } from '../../operations/suites/shown-suite.js';
import { updateSuite } from '../../operations/suites/update.js';
import { camelFields } from '../field-names.js';
import { readPage } from '../pagination.js';
import { presentExecution } from '../present/execution.js';
import { presentRun, presentSuite } from '../present/suite.js';
import type { RestRequest } from '../request.js';
import { listRoute, type QueryParameter, type Route, route } from '../route.js';
import { inOrganization, ofSuite } from './addresses.js';

const all = '/analytics/organizations/{org}/suites';
const one = `${all}/{suite}`;
const runs = `${one}/runs`;
const run = `${runs}/{run}`;

const ofRun = (request: RestRequest) => ({ run: { organization: request.param('org'), suite: request.param('suite'), id: request.param('run') } });

const showToken: QueryParameter = { name: 'show_api_token', type: 'boolean', about: 'Also give the upload token, which takes the permission to edit the suite.' };
const expanded: QueryParameter = { name: 'include_failure_expanded', type: 'boolean', about: 'Also give everything that is known about the failure.' };

/** With the token where it was asked for, in the query or the body. */
const shown = (asked: (request: RestRequest) => boolean) => async (context: Context, { suite, apiToken }: ShownSuite, request: RestRequest) => ({
  ...(await presentSuite(context, suite)),
  ...(asked(request) ? { api_token: apiToken } : {}),
});
const inQuery = (request: RestRequest) => request.flag('show_api_token') === true;
const inBody = (request: RestRequest) => request.body['show_api_token'] === true;

/** Test suites, their runs and what explains these (api-v2.md, Test runs; rest-facts 2.6 and 3.8). */
export const suiteRoutes: Route[] = [
  listRoute(listSuites, {
    method: 'get',
    path: all,
    input: (request) => ({ ...inOrganization(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'Suite', present: presentSuite },
  }),
  route(createSuite, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: { kind: 'object', status: 201, schema: 'Suite', present: shown(inBody) },
  }),
  route(getSuite, {
    method: 'get',
    path: one,
    query: [showToken],
    input: (request) => ({ ...ofSuite(request), showApiToken: inQuery(request) }),
    reply: { kind: 'object', status: 200, schema: 'Suite', present: shown(inQuery) },
  }),
  route(updateSuite, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofSuite(request) }),
    reply: { kind: 'object', status: 200, schema: 'Suite', present: shown(inBody) },
  }),
  route(deleteSuite, { method: 'delete', path: one, input: ofSuite, reply: { kind: 'empty' } }),
  listRoute(listRuns, {
    method: 'get',
    path: runs,
    query: [{ name: 'build_id', type: 'string', about: 'Id of the build that the runs belong to.' }],
    input: (request) => ({ ...ofSuite(request), buildId: request.text('build_id'), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'SuiteRun', present: presentRun },
  }),
  route(getRun, { method: 'get', path: run, input: ofRun, reply: { kind: 'object', status: 200, schema: 'SuiteRun', present: (context, found) => presentRun(context, found.run) } }),
  listRoute(listExecutions, {
    method: 'get',
    path: `${run}/failed_executions`,
    variant: 'failed',
    query: [expanded],
    input: (request) => ({ of: ofRun(request), result: 'failed', paging: readPage(request) }),
    reply: { kind: 'page', schema: 'SuiteExecution', present: (context, execution, request) => presentExecution(context, execution, { result: false, expanded: request.flag('include_failure_expanded') === true }) },
  }),
  listRoute(listExecutions, {
    method: 'get',
    path: `${run}/executions`,
    variant: 'of-run',
    query: [{ name: 'result', type: 'string', about: 'Only executions with this result.' }, expanded],
    refuses: [422],
    input: (request) => ({ of: ofRun(request), result: request.text('result'), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'SuiteExecution', present: (context, execution, request) => presentExecution(context, execution, { result: true, expanded: request.flag('include_failure_expanded') === true }) },
  }),
];
