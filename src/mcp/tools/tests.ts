import { z } from 'zod';
import { eachOf, organization, pages, pick, routeTool, type Tool, wordsOf } from '../tool.js';

const suite = { ...organization, test_suite_slug: z.string().describe('Slug of the test suite') };
const ofSuite = '/analytics/organizations/{org}/suites/{suite}';
const word = (what: string) => z.string().optional().describe(what);

export const testTools: Tool[] = [
  routeTool({
    name: 'list_test_suites',
    toolset: 'tests',
    title: 'Test suites',
    description: 'Lists the test suites of the organization.',
    input: { ...organization, ...pages },
    method: 'get',
    path: '/analytics/organizations/{org}/suites',
    shape: eachOf((each) => pick(each, ['id', 'slug', 'name', 'default_branch', 'web_url'])),
  }),
  routeTool({
    name: 'list_tests',
    toolset: 'tests',
    title: 'Tests',
    description: 'Lists the tests of a suite.',
    input: {
      ...suite,
      labels: word('Only tests with all of these labels, with commas between'),
      state: word('Only tests in this state: enabled, muted or skipped'),
      search: word('Only tests whose name or scope contains this text'),
      ...pages,
    },
    method: 'get',
    path: `${ofSuite}/tests`,
    query: ({ labels, state, search, page, per_page }) => ({ labels: wordsOf(labels), state, search, page, per_page }),
  }),
  routeTool({
    name: 'list_tests_for_build',
    toolset: 'tests',
    title: 'Tests of a build',
    description: 'Lists the tests that ran in a build, with their results and durations.',
    input: {
      ...organization,
      build_uuid: z.string().describe('UUID of the build, not its number'),
      labels: word('Labels, with commas between; ! before one leaves it out'),
      branch: word('Branch of the executions'),
      owners: word('Slugs of owning teams'),
      state: word('enabled, muted or skipped'),
      tags: word('Tags of executions as key:value; result:failed lists what failed'),
      sort_by: word('duration_avg, duration_sum, duration_min, duration_max or reliability'),
      order: word('asc or desc'),
      ...pages,
    },
    method: 'get',
    path: '/analytics/organizations/{org}/builds/{build}/tests',
  }),
  routeTool({
    name: 'get_test',
    toolset: 'tests',
    title: 'Test',
    description: 'Returns a test.',
    input: { ...suite, test_id: z.string().describe('UUID of the test') },
    method: 'get',
    path: `${ofSuite}/tests/{test}`,
  }),
  routeTool({
    name: 'list_test_runs',
    toolset: 'tests',
    title: 'Test runs',
    description: 'Lists the runs of a test suite, newest first.',
    input: { ...suite, ...pages },
    method: 'get',
    path: `${ofSuite}/runs`,
  }),
  routeTool({
    name: 'get_test_run',
    toolset: 'tests',
    title: 'Test run',
    description: 'Returns a run of a test suite.',
    input: { ...suite, run_id: z.string().describe('UUID of the run') },
    method: 'get',
    path: `${ofSuite}/runs/{run}`,
  }),
  routeTool({
    name: 'get_failed_executions',
    toolset: 'tests',
    title: 'Failed tests of a run',
    description: 'Lists the executions that failed in a run, with their reasons.',
    input: {
      ...suite,
      run_id: z.string().describe('UUID of the run'),
      include_failure_expanded: z.boolean().optional().describe('Whether whole messages and stack traces are wanted'),
      ...pages,
    },
    method: 'get',
    path: `${ofSuite}/runs/{run}/failed_executions`,
  }),
];
