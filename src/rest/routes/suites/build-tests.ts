import { testStates } from '../../../domain/suites/results/test-state.js';
import { buildTestMetrics, buildTestOrders, listBuildTests } from '../../../operations/suites/build-tests/list.js';
import { presentBuildTest } from '../../present/suites/suite-test.js';
import { readPage } from '../../replies/pagination.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route } from '../../route.js';

/** The tests that ran in a build. */
export const buildTestRoutes: Route[] = [
  listRoute(listBuildTests, {
    method: 'get',
    path: '/analytics/organizations/{org}/builds/{build}/tests',
    query: [
      {
        name: 'labels',
        type: 'string',
        example: 'flaky,!slow',
        description: 'Only tests with all of these labels, divided by commas, and without those after a `!`.',
      },
      {
        name: 'branch',
        type: 'string',
        example: 'feature*',
        description:
          'Only executions of this branch count. `!` before it excludes it, `*` behind it stands for any text; ' +
          'one of the two.',
      },
      {
        name: 'owners',
        type: 'string',
        example: '!platform',
        description:
          'Only tests of these owners, divided by commas, and without those after a `!`. No test has an owner.',
      },
      { name: 'state', type: 'string', values: testStates, description: 'Only tests in this state.' },
      {
        name: 'tags',
        type: 'string',
        example: 'framework:rspec,result:^passed',
        description:
          'Only executions with all of these tags count: `key:value`, divided by commas. `!` before a value ' +
          'excludes it, `*` behind it stands for any text. Of the tag `result`, `~` selects tests of which some ' +
          'execution matches, `^` those of which every one does.',
      },
      {
        name: 'sort_by',
        type: 'string',
        values: buildTestMetrics,
        description: 'Metric that the tests are sorted by, `duration_avg` by default. Tests without it are last.',
      },
      { name: 'order', type: 'string', values: buildTestOrders, description: 'Direction, `desc` by default.' },
    ],
    refuses: [422],
    input: (request) => ({
      build: { organization: request.param('org'), id: request.param('build') },
      labels: dividedByCommas(request, 'labels'),
      branch: filled(request, 'branch'),
      owners: dividedByCommas(request, 'owners'),
      state: filled(request, 'state'),
      tags: dividedByCommas(request, 'tags'),
      sortBy: filled(request, 'sort_by'),
      order: filled(request, 'order'),
      paging: readPage(request),
    }),
    reply: { kind: 'page', schema: 'BuildTest', present: presentBuildTest },
  }),
];

const filled = (request: RestRequest, name: string) => request.text(name) || undefined;

/** A list of values in one parameter, which may be repeated. */
const dividedByCommas = (request: RestRequest, name: string) =>
  request
    .list(name)
    ?.flatMap((list) => list.split(','))
    .filter((value) => value !== '');
