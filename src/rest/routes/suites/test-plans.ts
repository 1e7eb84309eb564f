import { createTestPlan } from '../../../operations/suites/test-plans/create.js';
import { filterTestFiles } from '../../../operations/suites/test-plans/filter-files.js';
import { getTestPlan } from '../../../operations/suites/test-plans/get.js';
import { reportTestPlan } from '../../../operations/suites/test-plans/report.js';
import { timeTestFiles } from '../../../operations/suites/test-plans/time-files.js';
import { camelFields } from '../../requests/field-names.js';
import type { RestRequest } from '../../requests/request.js';
import type { Json } from '../../../domain/pipelines/steps/step.js';
import { filesToSplitResource, testPlanResource } from '../../present/suites/test-plan.js';
import { type Route, route } from '../../route.js';
import { ofSuite } from '../addresses.js';

const suite = '/analytics/organizations/{org}/suites/{suite}';
const all = `${suite}/test_plan`;

/** Variables of the job that asks, as numbers or texts: clients of two ages send them either way. */
function envOf(request: RestRequest): (name: string) => unknown {
  const env = request.body['env'];
  const values: Readonly<Record<string, Json>> = env && typeof env === 'object' && !Array.isArray(env) ? env : {};
  return (name) => (Object.hasOwn(values, name) && values[name] !== '' ? values[name] : undefined);
}

/** What the job asked for its plan with; clients before 1.1 leave it to the build and the step. */
const identifierOf = (env: (name: string) => unknown) =>
  env('BUILDKITE_TEST_ENGINE_IDENTIFIER') ?? [env('BUILDKITE_BUILD_ID'), env('BUILDKITE_STEP_ID')].join('/');

const numberOf = (value: unknown) => (typeof value === 'string' ? Number(value) : value);
const flagOf = (value: unknown) => (typeof value === 'string' ? value === 'true' : value);

/** Seconds between the first and the last event that have a time; undefined without two. */
function durationOf({ body }: RestRequest): number | undefined {
  const events = Array.isArray(body['timeline']) ? body['timeline'] : [];
  const times = events
    .map((event) => (event && typeof event === 'object' && 'timestamp' in event ? String(event['timestamp']) : ''))
    .map((time) => Date.parse(time))
    .filter((time) => !Number.isNaN(time));
  return times.length < 2 ? undefined : (Math.max(...times) - Math.min(...times)) / 1000;
}

/** The plans by which parallel jobs split the tests of a suite, as the public test-splitting client asks for them. */
export const testPlanRoutes: Route[] = [
  route(getTestPlan, {
    method: 'get',
    path: all,
    query: [
      {
        name: 'identifier',
        type: 'string',
        required: true,
        description: 'What the jobs of the step ask with.',
        example: '01890000-0000-7000-8000-000000000000/01890000-0000-7000-8000-000000000001',
      },
      { name: 'job_retry_count', type: 'integer', description: 'Retries of the job; each gets the same plan.' },
    ],
    input: (request) => ({ ...ofSuite(request), identifier: request.text('identifier') }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'TestPlan',
      present: (_context, { plan }) => testPlanResource.present(plan),
    },
  }),
  route(createTestPlan, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofSuite(request) }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'TestPlan',
      present: (_context, { plan }) => testPlanResource.present(plan),
    },
  }),
  route(filterTestFiles, {
    method: 'post',
    path: `${all}/filter_tests`,
    takesBody: true,
    input: (request) => {
      const env = envOf(request);
      return {
        parallelism: numberOf(env('BUILDKITE_PARALLEL_JOB_COUNT')),
        splitsSlow: flagOf(env('BUILDKITE_TEST_ENGINE_SPLIT_BY_EXAMPLE')),
        ...camelFields(request.body),
        ...ofSuite(request),
      };
    },
    reply: {
      kind: 'object',
      status: 200,
      schema: 'TestFilesToSplit',
      present: (_context, paths) => filesToSplitResource.present({ paths }),
    },
  }),
  route(timeTestFiles, {
    method: 'post',
    path: `${suite}/test_files`,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofSuite(request) }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'TestFileTimes',
      present: (_context, times) =>
        Promise.resolve(Object.fromEntries(times.map(({ path, duration }) => [path, duration]))),
    },
  }),
  route(reportTestPlan, {
    method: 'post',
    path: `${suite}/test_plan_metadata`,
    takesBody: true,
    input: (request) => {
      const env = envOf(request);
      return {
        identifier: identifierOf(env),
        node: numberOf(env('BUILDKITE_PARALLEL_JOB')),
        duration: durationOf(request),
        ...camelFields(request.body),
        ...ofSuite(request),
      };
    },
    reply: {
      kind: 'object',
      status: 200,
      schema: 'TestPlan',
      present: (_context, { plan }) => testPlanResource.present(plan),
    },
  }),
];
