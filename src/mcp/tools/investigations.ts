import { z } from 'zod';
import { downstreamJobWords, failedJobWords } from '../../domain/builds/job-list-states.js';
import type { Json, JsonObject } from '../../domain/pipelines/steps/step.js';
import { insightGroups } from '../../domain/builds/insights/insight.js';
import { callRoute, routeOf } from '../../rest/call-route.js';
import { build, job, organization, pick, pipeline, routeTool, scopesOf, type Tool } from '../tool.js';

const ofBuild = '/organizations/{org}/pipelines/{slug}/builds/{number}';
const ofSearch = '/organizations/{org}/pipelines/{slug}/culprit-searches';

const inSummary = ['id', 'number', 'state', 'branch', 'commit', 'message', 'web_url', 'created_at', 'finished_at'];
const ofJob = ['id', 'name', 'state', 'exit_status', 'soft_failed', 'step_key', 'web_url'];
const ofFailure = ['reason', 'signal', 'since', 'last_passed', 'changed', 'excerpts', 'tests'];
const ofAnnotation = ['id', 'context', 'style', 'body_html'];

const summarize: Tool = {
  name: 'get_build_failure_summary',
  toolset: 'investigations',
  title: 'Why a build failed',
  description:
    'Says why a build failed, in one reply: its failed jobs with the lines of their logs that matter, ' +
    'since which build each fails, what has changed since it passed, failed tests, and annotations of errors ' +
    'and warnings. Begin with it.',
  input: z.strictObject({
    ...build,
    max_jobs: z.number().int().min(1).max(50).default(10).describe('Most failed jobs'),
    max_annotations: z
      .number()
      .int()
      .min(0)
      .max(100)
      .default(20)
      .describe('Most annotations, of the first 100 of the build'),
    include_logs: z
      .boolean()
      .default(true)
      .describe('Whether it is wanted why each job failed: lines of logs, since when, what changed'),
    include_annotations: z.boolean().default(true).describe('Whether annotations are wanted'),
    include_failed_tests: z.boolean().default(true).describe('Whether failed tests are wanted beside that'),
  }),
  isReadOnly: true,
  isDestructive: false,
  isIdempotent: true,
  scopes: () => scopesOf(routeOf('get', ofBuild)),
  run: async ({ context }, args) => {
    const within = context();
    const params = {
      org: String(args['org_slug']),
      slug: String(args['pipeline_slug']),
      number: String(args['build_number']),
    };
    const most = Number(args['max_jobs']);
    const shown = new URLSearchParams({ exclude_jobs: 'true', exclude_pipeline: 'true' });
    const { body: whole } = await callRoute(within, routeOf('get', ofBuild), { params, query: shown });
    const jobsIn = async (states: readonly string[]) => {
      const query = new URLSearchParams({ include_retried_jobs: 'false', per_page: String(most) });
      for (const state of states) query.append('state[]', state);
      const { body, next } = await callRoute(within, routeOf('get', `${ofBuild}/jobs`), { params, query });
      return { jobs: (body as { items: JsonObject[] }).items, isCut: next !== null };
    };
    const failed = await jobsIn(failedJobWords);
    const downstream = await jobsIn(downstreamJobWords);
    const hasFailures = failed.jobs.some(({ type }) => type === 'script');
    const failures =
      args['include_logs'] && hasFailures ? await failuresOf(within, params, most) : new Map<string, JsonObject>();
    return {
      build: pick(whole, inSummary),
      jobs: failed.jobs.map((each) => ({
        ...(pick(each, ofJob) as JsonObject),
        failure: withoutTests(failures.get(String(each['id'])) ?? null, args['include_failed_tests'] === true),
      })),
      jobs_truncated: failed.isCut,
      downstream_jobs: downstream.jobs.map((each) => pick(each, ofJob)),
      annotations: args['include_annotations']
        ? await annotationsOf(within, params, Number(args['max_annotations']))
        : [],
      next: 'search_logs and read_logs show more of a log; retry_job runs a job again.',
    };
  },
};

type Within = Parameters<typeof callRoute>[0];

/** The failures of a build by the ids of their jobs, at most so many. */
async function failuresOf(
  context: Within,
  params: Record<string, string>,
  most: number,
): Promise<Map<string, JsonObject>> {
  const query = new URLSearchParams({ per_page: String(most) });
  const { body } = await callRoute(context, routeOf('get', `${ofBuild}/failures`), { params, query });
  const { items } = body as { items: JsonObject[] };
  return new Map(items.map((each) => [String(each['job_id']), pick(each, ofFailure) as JsonObject]));
}

const withoutTests = (failure: JsonObject | null, wantsTests: boolean): Json =>
  failure === null || wantsTests ? failure : { ...failure, tests: [] };

async function annotationsOf(context: Within, params: Record<string, string>, most: number): Promise<Json[]> {
  if (most === 0) return [];
  const query = new URLSearchParams({ scope: 'all', per_page: '100' });
  const { body } = await callRoute(context, routeOf('get', `${ofBuild}/annotations`), { params, query });
  const serious = (body as JsonObject[]).filter(({ style }) => style === 'error' || style === 'warning');
  return serious.slice(0, most).map((each) => pick(each, ofAnnotation));
}

export const investigationTools: Tool[] = [
  summarize,
  routeTool({
    name: 'get_job_failure',
    toolset: 'investigations',
    title: 'Why a job failed',
    description:
      'Says why a job failed: the lines of its log that matter with their numbers, since which build its step ' +
      'fails on the branch, what has changed since it passed, and failed tests.',
    input: { ...organization, job_id: job.job_id },
    method: 'get',
    path: '/organizations/{org}/jobs/{job}/failure',
  }),
  routeTool({
    name: 'find_culprit',
    toolset: 'investigations',
    title: 'Find the culprit',
    description: 'Searches for the commit that turned a branch red, by builds of it.',
    input: {
      ...build,
      steps: z.array(z.string()).optional().describe('Keys of failed steps'),
    },
    method: 'post',
    path: `${ofBuild}/culprit-searches`,
    body: ({ steps }): JsonObject => (steps ? { steps } : {}),
  }),
  routeTool({
    name: 'get_culprit_search',
    toolset: 'investigations',
    title: 'Culprit search',
    description: 'Returns the culprit or suspects of a search.',
    input: { ...pipeline, search_id: z.string().describe('ID of the search') },
    method: 'get',
    path: `${ofSearch}/{search}`,
  }),
  routeTool({
    name: 'get_insights',
    toolset: 'investigations',
    title: 'What is slow, and what fails',
    description:
      'Tells how long builds and jobs took and waited (seconds), how many failed and how many were run again, ' +
      'by pipeline, branch, queue, step, day or hour, of the last week unless from and to say otherwise.',
    input: {
      ...organization,
      by: z.enum(insightGroups).optional().describe('Grouping, pipeline by default'),
      from: z.string().optional().describe('Builds created from this time on, ISO 8601'),
      to: z.string().optional().describe('Builds created before this time, ISO 8601'),
      hours: z.number().int().optional().describe('In place of both: the last so many hours that are over'),
      pipeline: z.string().optional().describe('Slug of the only pipeline'),
      branch: z.string().optional().describe('Name of the only branch'),
      queue: z.string().optional().describe('Key of the only queue, or CLUSTER/QUEUE'),
      step: z.string().optional().describe('Only step, PIPELINE/STEP'),
    },
    method: 'get',
    path: '/organizations/{org}/insights',
  }),
];
