import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { finishedBuildStates } from '../../domain/builds/build-state.js';
import type { Json, JsonObject } from '../../domain/pipelines/steps/step.js';
import { perform } from '../../core/operation.js';
import { readJobEnv } from '../../operations/builds/jobs/read-env.js';
import { callRoute, routeOf } from '../../rest/call-route.js';
import {
  build,
  detail,
  eachOf,
  job,
  organization,
  pages,
  pick,
  pipeline,
  routeTool,
  scopesOf,
  type Tool,
  jobAddressOf,
  wordsOf,
} from '../tool.js';

const ofPipeline = '/organizations/{org}/pipelines/{slug}/builds';
const ofBuild = `${ofPipeline}/{number}`;
const ofJob = `${ofBuild}/jobs/{job}`;

const inSummary = ['id', 'number', 'state', 'blocked', 'branch', 'commit', 'message', 'web_url', 'created_at'];
const inDetail = [
  ...inSummary,
  'author',
  'creator',
  'source',
  'scheduled_at',
  'started_at',
  'finished_at',
  'meta_data',
  'pull_request',
  'rebuilt_from',
  'triggered_from',
  'test_engine',
];
const summary = (value: Json) => pick(value, inSummary);
const details = (value: Json) => pick(value, inDetail);

const jobInSummary = ['id', 'type', 'name', 'state', 'exit_status', 'soft_failed', 'step_key', 'signal_reason'];
const jobInDetail = [
  ...jobInSummary,
  'label',
  'command',
  'group_key',
  'signal',
  'created_at',
  'started_at',
  'finished_at',
  'retried',
  'retried_in_job_id',
  'unblockable',
  'parallel_group_index',
  'parallel_group_total',
  'web_url',
];

/** A job as `detail_level` says; its agent by its id unless the whole is wanted. */
function jobAs(value: Json, level: 'summary' | 'detailed' | 'full', includesAgent = false): Json {
  if (level === 'summary') return pick(value, jobInSummary);
  const shown = level === 'full' ? value : pick(value, [...jobInDetail, 'agent']);
  if (includesAgent || typeof shown !== 'object' || shown === null || Array.isArray(shown)) return shown;
  return 'agent' in shown ? { ...shown, agent: pick(shown['agent'], ['id', 'name']) } : shown;
}

const includesAgent = {
  include_agent: z.boolean().default(false).describe('Whether jobs show the whole of their agent'),
};
const entries = (what: string) =>
  z
    .array(z.strictObject({ key: z.string(), value: z.string() }))
    .optional()
    .describe(what);
const mapOf = (list: { key: string; value: string }[] | undefined): JsonObject =>
  Object.fromEntries((list ?? []).map(({ key, value }) => [key, value]));

/** A request lasts 30 seconds at most. */
const mostWaitMs = 24_000;
const pollMs = 1_500;
const ended: ReadonlySet<string> = new Set([...finishedBuildStates, 'blocked']);

const waitForBuild: Tool = {
  name: 'wait_for_build',
  toolset: 'builds',
  title: 'Wait for a build',
  description:
    'Waits up to 24 seconds for a build to end or to be blocked, and returns its state. ' +
    'While `finished` is false call it again.',
  input: z.strictObject(build),
  isReadOnly: true,
  isDestructive: false,
  isIdempotent: true,
  scopes: () => scopesOf(routeOf('get', ofBuild)),
  run: async ({ context, signal }, args) => {
    const route = routeOf('get', ofBuild);
    const params = {
      org: String(args['org_slug']),
      slug: String(args['pipeline_slug']),
      number: String(args['build_number']),
    };
    const query = new URLSearchParams({ exclude_jobs: 'true', exclude_pipeline: 'true' });
    const from = performance.now();
    for (;;) {
      const { body } = await callRoute(context(), route, { params, query });
      const state = String((body as JsonObject)['state']);
      const finished = ended.has(state);
      const waited = performance.now() - from;
      if (finished || waited + pollMs > mostWaitMs)
        return { finished, waited_seconds: Math.round(waited / 1000), build: details(body) };
      await sleep(pollMs, undefined, { signal });
    }
  },
};

const getJobEnv: Tool = {
  name: 'get_job_env',
  toolset: 'builds',
  title: 'Environment of a job',
  description: 'Returns the environment variables that a job runs with.',
  input: z.strictObject({ ...build, job_uuid: z.string().describe('UUID of the job') }),
  isReadOnly: true,
  isDestructive: false,
  isIdempotent: true,
  scopes: () => scopesOf(readJobEnv),
  run: async ({ context }, args) => perform(readJobEnv, context(), { job: jobAddressOf(args) }),
};

export const buildTools: Tool[] = [
  routeTool({
    name: 'list_builds',
    toolset: 'builds',
    title: 'Builds',
    description: 'Lists builds, newest first: of a pipeline, or of all pipelines of the organization.',
    input: {
      ...organization,
      pipeline_slug: z.string().optional().describe('Slug of the only pipeline'),
      branch: z.string().optional().describe('Only builds of this branch; * matches any text'),
      state: z.string().optional().describe('Only builds in these states, with commas between'),
      commit: z.string().optional().describe('Only builds of this commit, a full SHA'),
      creator: z.string().optional().describe('Only builds of the user with this UUID'),
      ...pages,
    },
    method: 'get',
    path: (args) => (args.pipeline_slug === undefined ? '/organizations/{org}/builds' : ofPipeline),
    query: ({ branch, state, commit, creator, page, per_page }) => ({
      branch,
      state: wordsOf(state),
      commit,
      creator,
      page,
      per_page,
      exclude_jobs: true,
      exclude_pipeline: true,
    }),
    shape: eachOf(summary),
  }),
  routeTool({
    name: 'get_build',
    toolset: 'builds',
    title: 'Build',
    description:
      'Returns a build without its jobs: list_jobs lists those. Of a failed build get_build_failure_summary says why.',
    input: build,
    method: 'get',
    path: ofBuild,
    query: () => ({ exclude_jobs: true, exclude_pipeline: true, include_test_engine: true }),
    shape: details,
  }),
  routeTool({
    name: 'explain_build',
    toolset: 'builds',
    title: 'What a build waits for',
    description: 'Says in sentences why a build is in its state, and what it and its jobs wait for.',
    input: build,
    method: 'get',
    path: `${ofBuild}/explanation`,
  }),
  waitForBuild,
  routeTool({
    name: 'create_build',
    toolset: 'builds',
    title: 'New build',
    description: 'Starts a build of a commit of a branch.',
    input: {
      ...pipeline,
      commit: z.string().describe('Commit to build, a SHA or HEAD'),
      branch: z.string().describe('Branch of the commit'),
      message: z.string().optional().describe('Message of the build'),
      ignore_branch_filters: z.boolean().optional().describe('Whether branches that the pipeline leaves out are built'),
      environment: entries('Environment variables'),
      metadata: entries('Meta-data'),
    },
    method: 'post',
    path: ofPipeline,
    body: ({ commit, branch, message, ignore_branch_filters, environment, metadata }) => ({
      commit,
      branch,
      ...(message === undefined ? {} : { message }),
      ...(ignore_branch_filters === undefined ? {} : { ignore_pipeline_branch_filters: ignore_branch_filters }),
      ...(environment ? { env: mapOf(environment) } : {}),
      ...(metadata ? { meta_data: mapOf(metadata) } : {}),
    }),
    shape: details,
  }),
  routeTool({
    name: 'cancel_build',
    toolset: 'builds',
    title: 'Cancel a build',
    description: 'Cancels a build that has not ended, with its running jobs.',
    input: build,
    method: 'put',
    path: `${ofBuild}/cancel`,
    body: () => ({}),
    shape: details,
    isDestructive: true,
  }),
  routeTool({
    name: 'rebuild_build',
    toolset: 'builds',
    title: 'Build again',
    description: 'Starts a new build of the same commit; retry_job runs a single job again.',
    input: build,
    method: 'put',
    path: `${ofBuild}/rebuild`,
    body: () => ({}),
    shape: details,
  }),
  routeTool({
    name: 'list_jobs',
    toolset: 'builds',
    title: 'Jobs',
    description: 'Lists the jobs of a build in pipeline order; the latest attempts by include_retried_jobs false.',
    input: {
      ...build,
      state: z.string().optional().describe('Only jobs in these states, such as failed,timed_out'),
      step_key: z.string().optional().describe('Only jobs of the steps with these keys'),
      group_key: z.string().optional().describe('Only jobs of these groups'),
      include_retried_jobs: z.boolean().optional().describe('Whether earlier attempts are listed; true by default'),
      per_page: pages.per_page,
      after: z.string().optional().describe('The next_after of the page before'),
      before: z.string().optional().describe('Cursor of the page behind'),
      ...detail('summary'),
      ...includesAgent,
    },
    method: 'get',
    path: `${ofBuild}/jobs`,
    query: ({ state, step_key, group_key, include_retried_jobs, per_page, after, before }) => ({
      state: wordsOf(state),
      step_key: wordsOf(step_key),
      group_key: wordsOf(group_key),
      include_retried_jobs,
      per_page,
      after,
      before,
    }),
    shape: (body, { detail_level, include_agent }) => eachOf((each) => jobAs(each, detail_level, include_agent))(body),
  }),
  routeTool({
    name: 'get_job',
    toolset: 'builds',
    title: 'Job',
    description: 'Returns a job, by its build or by its UUID alone.',
    input: {
      ...organization,
      job_id: job.job_id,
      pipeline_slug: z.string().optional().describe('Slug of the pipeline, together with build_number'),
      build_number: build.build_number.optional(),
      ...includesAgent,
    },
    method: 'get',
    path: (args) => (args.pipeline_slug && args.build_number ? ofJob : '/organizations/{org}/jobs/{job}'),
    query: () => ({}),
    shape: (body, { include_agent }) => jobAs(body, 'full', include_agent),
  }),
  routeTool({
    name: 'explain_job',
    toolset: 'builds',
    title: 'What a job waits for',
    description: 'Says in sentences why a job waits or how it ended, and which agents could run it.',
    input: { ...organization, job_id: job.job_id },
    method: 'get',
    path: '/organizations/{org}/jobs/{job}/explanation',
  }),
  getJobEnv,
  routeTool({
    name: 'unblock_job',
    toolset: 'builds',
    title: 'Unblock',
    description: 'Unblocks a block step, with values of its fields.',
    input: {
      ...job,
      fields: z.record(z.string(), z.string()).optional().describe('Values of the fields by their keys'),
    },
    method: 'put',
    path: `${ofJob}/unblock`,
    shape: (body) => jobAs(body, 'detailed'),
  }),
  routeTool({
    name: 'retry_job',
    toolset: 'builds',
    title: 'Retry a job',
    description: 'Runs a job again that has failed, timed out or been canceled; returns its new attempt.',
    input: job,
    method: 'put',
    path: `${ofJob}/retry`,
    shape: (body) => jobAs(body, 'detailed'),
  }),
  routeTool({
    name: 'list_step_uploads',
    toolset: 'builds',
    title: 'Step uploads',
    description: 'Lists the uploads of steps that jobs of a build made.',
    input: {
      ...build,
      source_job_id: z.string().optional().describe('Only uploads of this job'),
      per_page: pages.per_page,
      after: z.string().optional().describe('The next_after of the page before'),
      before: z.string().optional().describe('Cursor of the page behind'),
    },
    method: 'get',
    path: `${ofBuild}/step-uploads`,
    query: ({ source_job_id, per_page, after, before }) => ({
      'filter[source_job_id]': source_job_id,
      per_page,
      after,
      before,
    }),
  }),
  routeTool({
    name: 'get_step_upload',
    toolset: 'builds',
    title: 'Step upload',
    description: 'Returns one upload of steps with its definition.',
    input: { ...build, upload_uuid: z.string().describe('UUID of the upload') },
    method: 'get',
    path: `${ofBuild}/step-uploads/{upload}`,
  }),
  routeTool({
    name: 'get_build_test_engine_runs',
    toolset: 'builds',
    title: 'Test runs of a build',
    description: 'Lists the runs of test suites that jobs of a build uploaded.',
    input: build,
    method: 'get',
    path: ofBuild,
    query: () => ({ exclude_jobs: true, exclude_pipeline: true, include_test_engine: true }),
    shape: (body) => pick(body, ['id', 'number', 'test_engine']),
  }),
];
