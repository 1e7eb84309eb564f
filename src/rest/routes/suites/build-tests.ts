import { listBuildTests } from '../../../operations/suites/build-tests/list.js';
import { presentBuildTest } from '../../present/suites/suite-test.js';
import { readPage } from '../../replies/pagination.js';
import { listRoute, type Route } from '../../route.js';
import { readTestFilters, testQuery } from './test-filters.js';

/** The tests that ran in a build. */
export const buildTestRoutes: Route[] = [
  listRoute(listBuildTests, {
    method: 'get',
    path: '/analytics/organizations/{org}/builds/{build}/tests',
    query: testQuery,
    versioned: true,
    refuses: [422],
    input: (request) => ({
      ...readTestFilters(request),
      build: { organization: request.param('org'), id: request.param('build') },
      paging: readPage(request),
    }),
    reply: { kind: 'page', schema: 'BuildTest', present: presentBuildTest },
  }),
];
