import { createTestPlan } from '../../../operations/suites/test-plans/create.js';
import { filterTestFiles } from '../../../operations/suites/test-plans/filter-files.js';
import { getTestPlan } from '../../../operations/suites/test-plans/get.js';
import { reportTestPlan } from '../../../operations/suites/test-plans/report.js';
import { timeTestFiles } from '../../../operations/suites/test-plans/time-files.js';
import { camelFields } from '../../requests/field-names.js';
import { filesToSplitResource, testPlanResource } from '../../present/suites/test-plan.js';
import { type Route, route, type RouteReply } from '../../route.js';
import type { PlanSubject } from '../../../resources/suites/test-plans/find-plan.js';
import { ofSuite } from '../addresses.js';

const suite = '/analytics/organizations/{org}/suites/{suite}';
const all = `${suite}/test_plan`;

const planReply: RouteReply<PlanSubject> = {
  kind: 'object',
  status: 200,
  schema: 'TestPlan',
  present: (_context, { plan }) => testPlanResource.present(plan),
};

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
    reply: planReply,
  }),
  route(createTestPlan, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofSuite(request) }),
    reply: planReply,
  }),
  route(filterTestFiles, {
    method: 'post',
    path: `${all}/filter_tests`,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofSuite(request) }),
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
    input: (request) => ({ ...camelFields(request.body), ...ofSuite(request) }),
    reply: planReply,
  }),
];
