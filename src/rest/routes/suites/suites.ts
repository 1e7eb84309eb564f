import type { Context } from '../../../request/context.js';
import { executionResults } from '../../../domain/suites/results/result.js';
import { listExecutions } from '../../../operations/suites/suite-executions/list.js';
import { updateExecutionTags } from '../../../operations/suites/suite-executions/update-tags.js';
import { getRun } from '../../../operations/suites/suite-runs/get.js';
import { listRuns } from '../../../operations/suites/suite-runs/list.js';
import { createSuite } from '../../../operations/suites/create.js';
import { deleteSuite } from '../../../operations/suites/delete.js';
import { getSuite } from '../../../operations/suites/get.js';
import { listSuites } from '../../../operations/suites/list.js';
import type { ShownSuite } from '../../../resources/suites/shown-suite.js';
import { updateSuite } from '../../../operations/suites/update.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentExecution, taggedExecutionsResource } from '../../present/suites/execution.js';
import { presentRun, presentSuite, presentSuiteWithToken } from '../../present/suites/suite.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type QueryParameter, type Route, route } from '../../route.js';
import { inOrganization, ofSuite } from '../addresses.js';

const all = '/analytics/organizations/{org}/suites';
const one = `${all}/{suite}`;
const runs = `${one}/runs`;
const run = `${runs}/{run}`;

const ofRun = (request: RestRequest) => ({
  run: { organization: request.param('org'), suite: request.param('suite'), id: request.param('run') },
});

const showToken: QueryParameter = {
  name: 'show_api_token',
  type: 'boolean',
  description: 'Shows the API token of the suite, if the caller may edit it.',
};
const expanded: QueryParameter = {
  name: 'include_failure_expanded',
  type: 'boolean',
  description: 'Shows `failure_expanded`: the details of the failure.',
};

/** Presents a suite, with its token if the query or the body requests that. */
const presentShown =
  (showsToken: (request: RestRequest) => boolean) =>
  (context: Context, { suite, apiToken }: ShownSuite, request: RestRequest) =>
    presentSuiteWithToken(context, { suite, apiToken: showsToken(request) ? apiToken : undefined });
const inQuery = (request: RestRequest) => request.flag('show_api_token') === true;
const inBody = (request: RestRequest) => request.body['show_api_token'] === true;

/** Test suites, their runs and the executions of these. */
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
    input: (request) => ({
      // Documents of this kind of service spell it both ways.
      teamIds: request.body['teams_ids'],
      ...camelFields(request.body),
      ...inOrganization(request),
    }),
    reply: { kind: 'object', status: 201, schema: 'Suite', present: presentShown(inBody) },
  }),
  route(getSuite, {
    method: 'get',
    path: one,
    query: [showToken],
    input: (request) => ({ ...ofSuite(request), showApiToken: inQuery(request) }),
    reply: { kind: 'object', status: 200, schema: 'Suite', present: presentShown(inQuery) },
  }),
  route(updateSuite, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofSuite(request) }),
    reply: { kind: 'object', status: 200, schema: 'Suite', present: presentShown(inBody) },
  }),
  route(updateExecutionTags, {
    method: 'put',
    path: `${one}/execution-tags`,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofSuite(request) }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'TaggedExecutions',
      present: (_context, changed) => taggedExecutionsResource.present(changed),
    },
  }),
  route(deleteSuite, { method: 'delete', path: one, input: ofSuite, reply: { kind: 'empty' } }),
  listRoute(listRuns, {
    method: 'get',
    path: runs,
    query: [{ name: 'build_id', type: 'id', description: 'ID of the build that the runs belong to.' }],
    input: (request) => ({ ...ofSuite(request), buildId: request.text('build_id'), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'SuiteRun', present: presentRun },
  }),
  route(getRun, {
    method: 'get',
    path: run,
    input: ofRun,
    reply: {
      kind: 'object',
      status: 200,
      schema: 'SuiteRun',
      present: (context, subject) => presentRun(context, subject.run),
    },
  }),
  listRoute(listExecutions, {
    method: 'get',
    path: `${run}/failed_executions`,
    variant: 'failed',
    query: [expanded],

    input: (request) => ({ of: ofRun(request), result: 'failed', paging: readPage(request) }),
    reply: {
      kind: 'page',
      schema: 'SuiteExecution',
      present: (context, execution, request) =>
        presentExecution(context, execution, {
          result: false,
          expanded: request.flag('include_failure_expanded') === true,
        }),
    },
  }),
  listRoute(listExecutions, {
    method: 'get',
    path: `${run}/executions`,
    variant: 'of-run',
    query: [
      { name: 'result', type: 'string', values: executionResults, description: 'Only executions with this result.' },
      expanded,
    ],
    refuses: [422],
    input: (request) => ({ of: ofRun(request), result: request.text('result'), paging: readPage(request) }),
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
];
