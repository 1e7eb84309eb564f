import { z } from 'zod';
import type { Json } from '../../domain/pipelines/steps/step.js';
import { build, detail, eachOf, job, organization, pages, pick, routeTool, type Tool, wordsOf } from '../tool.js';

const ofBuild = '/organizations/{org}/pipelines/{slug}/builds/{number}';

const userTools: Tool[] = [
  routeTool({
    name: 'current_user',
    toolset: 'user',
    title: 'Who am I',
    description: 'Returns the user whose token this is.',
    input: {},
    method: 'get',
    path: '/user',
  }),
  routeTool({
    name: 'access_token',
    toolset: 'user',
    title: 'This token',
    description: 'Returns the scopes of the token: what its holder may do.',
    input: {},
    method: 'get',
    path: '/access-token',
  }),
  routeTool({
    name: 'user_token_organization',
    toolset: 'user',
    title: 'Organizations',
    description: 'Lists the organizations that the token reaches; other tools take the slug as org_slug.',
    input: {},
    method: 'get',
    path: '/organizations',
    shape: eachOf((each) => pick(each, ['id', 'slug', 'name', 'web_url'])),
  }),
];

const agentSummary = ['id', 'name', 'connection_state', 'hostname', 'version', 'paused', 'web_url'];
const agentDetail = [...agentSummary, 'meta_data', 'priority', 'ip_address', 'created_at', 'last_job_finished_at'];

function agentAs(value: Json, level: 'summary' | 'detailed' | 'full'): Json {
  if (level === 'full') return value;
  const shown = pick(value, level === 'summary' ? agentSummary : agentDetail);
  const running = typeof value === 'object' && value !== null && !Array.isArray(value) ? value['job'] : null;
  return running ? { ...(shown as object), job: pick(running, ['id', 'state', 'web_url']) } : shown;
}

const agentTools: Tool[] = [
  routeTool({
    name: 'list_agents',
    toolset: 'agents',
    title: 'Agents',
    description: 'Lists the connected agents.',
    input: {
      ...organization,
      name: z.string().optional().describe('Only agents with this name'),
      hostname: z.string().optional().describe('Only agents on this host'),
      version: z.string().optional().describe('Only agents of this version'),
      ...pages,
      ...detail('summary'),
    },
    method: 'get',
    path: '/organizations/{org}/agents',
    query: ({ name, hostname, version, page, per_page }) => ({ name, hostname, version, page, per_page }),
    shape: (body, { detail_level }) => eachOf((each) => agentAs(each, detail_level))(body),
  }),
  routeTool({
    name: 'get_agent',
    toolset: 'agents',
    title: 'Agent',
    description: 'Returns an agent and the job that it runs.',
    input: { ...organization, agent_id: z.string().describe('UUID of the agent'), ...detail('full') },
    method: 'get',
    path: '/organizations/{org}/agents/{agent}',
    query: () => ({}),
    shape: (body, { detail_level }) => agentAs(body, detail_level),
  }),
];

const all = '/organizations/{org}/pipelines/{slug}/builds/{number}/artifacts';
const artifactFields = ['id', 'job_id', 'path', 'file_size', 'mime_type', 'state', 'sha1sum'];
const artifact = eachOf((each) => pick(each, artifactFields));

const artifactTools: Tool[] = [
  routeTool({
    name: 'list_artifacts_for_build',
    toolset: 'artifacts',
    title: 'Artifacts of a build',
    description: 'Lists the artifacts of all jobs of a build.',
    input: { ...build, ...pages },
    method: 'get',
    path: all,
    shape: artifact,
  }),
  routeTool({
    name: 'list_artifacts_for_job',
    toolset: 'artifacts',
    title: 'Artifacts of a job',
    description: 'Lists the artifacts of a job.',
    input: { ...job, ...pages },
    method: 'get',
    path: `${ofBuild}/jobs/{job}/artifacts`,
    shape: artifact,
  }),
  routeTool({
    name: 'get_artifact',
    toolset: 'artifacts',
    title: 'Artifact',
    description: 'Returns an address from which the artifact can be loaded without a token for a few minutes.',
    input: { ...job, artifact_id: z.string().describe('UUID of the artifact') },
    method: 'get',
    path: `${ofBuild}/jobs/{job}/artifacts/{artifact}/download`,
  }),
];

const scope = z.enum(['build', 'job']).default('build').describe('Of the build, or of the job job_id');
const jobId = job.job_id.optional().describe('UUID of the job, where scope is job');
const annotationsOf = ({ scope: of }: { scope: 'build' | 'job' }) =>
  of === 'job' ? `${ofBuild}/jobs/{job}/annotations` : `${ofBuild}/annotations`;

const annotationTools: Tool[] = [
  routeTool({
    name: 'list_annotations',
    toolset: 'annotations',
    title: 'Annotations',
    description: 'Lists the annotations of a build or of a job.',
    input: { ...build, scope, job_id: jobId, ...pages },
    method: 'get',
    path: annotationsOf,
    query: ({ page, per_page }) => ({ page, per_page }),
  }),
  routeTool({
    name: 'create_annotation',
    toolset: 'annotations',
    title: 'New annotation',
    description: 'Writes an annotation on a build or a job; one with the same context is replaced or added to.',
    input: {
      ...build,
      scope,
      job_id: jobId,
      body: z.string().describe('Markdown or HTML'),
      style: z.enum(['success', 'info', 'warning', 'error']).optional().describe('Style'),
      priority: z.number().int().min(1).max(10).optional().describe('Order, 1 to 10; the highest first'),
      context: z.string().optional().describe('Name that tells annotations apart'),
      append: z.boolean().optional().describe('Whether to add to the annotation with the context'),
    },
    method: 'post',
    path: annotationsOf,
    body: ({ body, style, priority, context, append }) =>
      JSON.parse(JSON.stringify({ body, style, priority, context, append })),
  }),
];

const suite = { ...organization, test_suite_slug: z.string().describe('Slug of the test suite') };
const ofSuite = '/analytics/organizations/{org}/suites/{suite}';
const word = (what: string) => z.string().optional().describe(what);

const testTools: Tool[] = [
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

export const otherTools: Tool[] = [...userTools, ...agentTools, ...artifactTools, ...annotationTools, ...testTools];
