import type { Context } from '../../../request/context.js';
import type { ShownBuildRow } from '../../../entities/database.js';
import { cancelBuild } from '../../../operations/builds/cancel.js';
import { createBuild } from '../../../operations/builds/create.js';
import { explainOneBuild } from '../../../operations/builds/explain.js';
import { getCriticalPath } from '../../../operations/builds/get-critical-path.js';
import { getBuild } from '../../../operations/builds/get.js';
import { listBuilds } from '../../../operations/builds/list.js';
import { pinBuild } from '../../../operations/builds/pin.js';
import { rebuildBuild } from '../../../operations/builds/rebuild.js';
import { retryFailedJobs } from '../../../operations/builds/retry-failed-jobs.js';
import { unpinBuild } from '../../../operations/builds/unpin.js';
import type { BuildSubject } from '../../../core/subject.js';
import {
  buildFilters,
  buildParameters,
  buildView,
  readBuildFilters,
  singleBuildParameters,
  singleBuildView,
} from '../../requests/build-query.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentBuildExplanation, presentCriticalPath } from '../../present/builds/explanation.js';
import { presentBuild, presentBuildAfterRetry } from '../../present/builds/build.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { inOrganization, inPipeline, ofBuild } from '../addresses.js';

const all = '/organizations/{org}/pipelines/{slug}/builds';
const one = `${all}/{number}`;

/** The three lists: of everything the caller may see, of an organization, of a pipeline. */
function buildList(path: string, within: (request: RestRequest) => unknown, variant?: string): Route {
  return listRoute(listBuilds, {
    method: 'get',
    path,
    variant,
    query: [...buildFilters, ...buildParameters],
    // The view is read with the filters, so that a wrong word in it is refused before anything is looked up.
    input: (request) => ({
      ...readBuildFilters(request),
      within: within(request),
      paging: readPage(request),
      view: buildView(request),
    }),
    reply: {
      kind: 'page',
      schema: 'Build',
      present: (context: Context, build: ShownBuildRow, request) => presentBuild(context, build, buildView(request)),
    },
  });
}

const presentChanged = (context: Context, { build }: BuildSubject) => presentBuild(context, build);

export const buildRoutes: Route[] = [
  buildList('/builds', () => ({}), 'all'),
  buildList('/organizations/{org}/builds', inOrganization, 'organization'),
  buildList(all, inPipeline),
  route(createBuild, {
    method: 'post',
    path: all,
    takesBody: true,
    // `use_defaults` is no field of /v2, which requires commit and branch.
    input: (request) => ({ ...camelFields(request.body), useDefaults: false, ...inPipeline(request) }),
    reply: { kind: 'object', status: 201, schema: 'Build', present: presentChanged },
  }),
  route(explainOneBuild, {
    method: 'get',
    path: `${one}/explanation`,
    input: ofBuild,
    reply: { kind: 'object', status: 200, schema: 'BuildExplanation', present: presentBuildExplanation },
  }),
  route(getCriticalPath, {
    method: 'get',
    path: `${one}/critical_path`,
    input: ofBuild,
    reply: { kind: 'object', status: 200, schema: 'BuildCriticalPath', present: presentCriticalPath },
  }),
  route(getBuild, {
    method: 'get',
    path: one,
    query: [...buildParameters, ...singleBuildParameters],
    input: (request) => ({ ...ofBuild(request), view: singleBuildView(request) }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'Build',
      present: (context, { build }, request) => presentBuild(context, build, singleBuildView(request)),
    },
  }),
  route(cancelBuild, {
    method: 'put',
    path: `${one}/cancel`,
    input: ofBuild,
    reply: { kind: 'object', status: 200, schema: 'Build', present: presentChanged },
  }),
  route(rebuildBuild, {
    method: 'put',
    path: `${one}/rebuild`,
    input: ofBuild,
    reply: { kind: 'object', status: 200, schema: 'Build', present: presentChanged },
  }),
  route(pinBuild, {
    method: 'put',
    path: `${one}/pin`,
    takesBody: true,
    input: (request) => ({ reason: request.body['reason'], ...ofBuild(request) }),
    reply: { kind: 'object', status: 200, schema: 'Build', present: presentChanged },
  }),
  route(unpinBuild, {
    method: 'delete',
    path: `${one}/pin`,
    input: ofBuild,
    reply: { kind: 'object', status: 200, schema: 'Build', present: presentChanged },
  }),
  route(retryFailedJobs, {
    method: 'put',
    path: `${one}/retry_failed_jobs`,
    takesBody: true,
    input: (request) => ({ states: request.body['states'], ...ofBuild(request) }),
    reply: {
      kind: 'object',
      status: 202,
      schema: 'BuildAfterRetry',
      present: presentBuildAfterRetry,
    },
  }),
];
