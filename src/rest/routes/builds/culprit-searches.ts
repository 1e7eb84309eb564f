import type { Context } from '../../../request/context.js';
import { cancelCulpritSearch } from '../../../operations/builds/culprit-searches/cancel.js';
import { createCulpritSearch } from '../../../operations/builds/culprit-searches/create.js';
import { getCulpritSearch } from '../../../operations/builds/culprit-searches/get.js';
import { listCulpritSearchesOfBuild } from '../../../operations/builds/culprit-searches/list-of-build.js';
import { listCulpritSearches } from '../../../operations/builds/culprit-searches/list.js';
import type { SearchSubject } from '../../../resources/builds/culprits/shown-search.js';
import { presentCulpritSearch } from '../../present/builds/culprit-search.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { inPipeline, ofBuild } from '../addresses.js';

const ofOnePipeline = '/organizations/{org}/pipelines/{slug}/culprit-searches';
const ofOneBuild = '/organizations/{org}/pipelines/{slug}/builds/{number}/culprit-searches';

const ofSearch = (request: RestRequest) => ({
  search: { organization: request.param('org'), pipeline: request.param('slug'), id: request.param('search') },
});
const present = (context: Context, { search }: SearchSubject) => presentCulpritSearch(context, search);
const reply = { kind: 'object', status: 200, schema: 'CulpritSearch', present } as const;

/** Searches for commits that turned branches red. Their addresses are ours: none are public. */
export const culpritSearchRoutes: Route[] = [
  listRoute(listCulpritSearchesOfBuild, {
    method: 'get',
    path: ofOneBuild,
    input: (request) => ({ ...ofBuild(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'CulpritSearch', present: presentCulpritSearch },
  }),
  route(createCulpritSearch, {
    method: 'post',
    path: ofOneBuild,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofBuild(request) }),
    reply: { ...reply, status: 201 },
  }),
  listRoute(listCulpritSearches, {
    method: 'get',
    path: ofOnePipeline,
    input: (request) => ({ ...inPipeline(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'CulpritSearch', present: presentCulpritSearch },
  }),
  route(getCulpritSearch, { method: 'get', path: `${ofOnePipeline}/{search}`, input: ofSearch, reply }),
  route(cancelCulpritSearch, { method: 'put', path: `${ofOnePipeline}/{search}/cancel`, input: ofSearch, reply }),
];
