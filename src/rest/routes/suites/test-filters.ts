import { testStates } from '../../../domain/suites/results/test-state.js';
import { testMetrics, testOrders } from '../../../resources/suites/measured-tests/filters.js';
import type { QueryParameter } from '../../route.js';
import type { RestRequest } from '../../requests/request.js';

/** Parameters of lists of tests: which tests, which of their executions count, and the order. */
export const testQuery: QueryParameter[] = [
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
    description: 'Only tests of one of these teams, slugs divided by commas, and of none of those after a `!`.',
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
    values: testMetrics,
    description: 'Metric that the tests are sorted by, `duration_avg` by default. Tests without it are last.',
  },
  { name: 'order', type: 'string', values: testOrders, description: 'Direction, `desc` by default.' },
];

/** The input that `testQuery` gives. */
export const readTestFilters = (request: RestRequest) => ({
  labels: dividedByCommas(request, 'labels'),
  branch: request.text('branch'),
  owners: dividedByCommas(request, 'owners'),
  state: request.text('state'),
  tags: dividedByCommas(request, 'tags'),
  sortBy: request.text('sort_by'),
  order: request.text('order'),
});

/** A list of values in one parameter, which may be repeated. */
const dividedByCommas = (request: RestRequest, name: string) =>
  request
    .list(name)
    ?.flatMap((list) => list.split(','))
    .filter((value) => value !== '');
