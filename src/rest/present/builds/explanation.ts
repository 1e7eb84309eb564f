import type { Context } from '../../../request/context.js';
import {
  type BuildExplanation,
  buildExplanationReasons,
} from '../../../domain/builds/explanations/build-explanation.js';
import { type JobExplanation, jobExplanationReasons } from '../../../domain/builds/explanations/job-explanation.js';
import {
  type PathKind,
  type PathStretch,
  secondsOf,
  timeByKind,
} from '../../../domain/builds/critical-path/critical-path.js';
import { restJobState } from '../../../domain/builds/job-state.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { ShownBuildRow, JobRow } from '../../../entities/database.js';
import type { BuildPath } from '../../../operations/builds/get-critical-path.js';
import {
  arrayOf,
  described,
  enumOf,
  nullable,
  number,
  object,
  reference,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { linkBuildById } from '../linked-build.js';
import { presentUserById } from '../organizations/user.js';
import { Urls } from '../urls.js';

const jobSummarySchema = object({
  id: described(uuid, 'ID of the job.'),
  name: described(nullable(text), 'Label of the step.'),
  state: described(text, 'State of the job.'),
  url: described(url, 'API URL of the job.'),
  web_url: described(url, 'URL of the job on the page of its build.'),
  build_url: described(url, 'API URL of the build of the job.'),
});

interface JobSource {
  context: Context;
  job: JobRow;
  explanation: JobExplanation | null;
}

export const jobExplanationResource = resource<JobSource>({
  state: field(text, 'State of the job.', ({ job }) => restJobState(job)),
  reason: field(
    nullable(enumOf(...jobExplanationReasons)),
    'Why the job waits, will not run, was stopped or started no build; null for one that runs or that an agent ' +
      'ran to its end.',
    ({ explanation }) => explanation?.reason ?? null,
  ),
  message: field(nullable(text), 'The reason in a sentence.', ({ explanation }) => explanation?.message ?? null),
  jobs: field(
    arrayOf(jobSummarySchema),
    'Jobs that the job waits for or was stopped by; only those that the caller may see.',
    ({ context, explanation }) => presentJobs(context, explanation?.jobIds ?? []),
  ),
  triggered_build: field(
    nullable(reference('BuildSummary')),
    'Build that a trigger job waits for, or that did not pass; null for other jobs, and for callers who may ' +
      'not see it.',
    ({ context, job, explanation }) =>
      explanation?.reason === 'triggered_build' || explanation?.reason === 'trigger_failed'
        ? presentSummary(context, job.triggeredBuildId)
        : null,
  ),
  canceled_by: field(nullable(reference('User')), 'User who canceled the job.', ({ context, job }) =>
    presentUserById(context, job.canceledById),
  ),
});

export const presentJobExplanation = (context: Context, explained: Omit<JobSource, 'context'>): Promise<JsonObject> =>
  jobExplanationResource.present({ context, ...explained });

interface BuildSource {
  context: Context;
  build: ShownBuildRow;
  explanation: BuildExplanation | null;
}

export const buildExplanationResource = resource<BuildSource>({
  state: field(text, 'State of the build, where `blocked` is a state too.', ({ build }) => build.state),
  reason: field(
    nullable(enumOf(...buildExplanationReasons)),
    'Why the build was skipped or canceled, waits for a person or ran nothing; null for any other build.',
    ({ explanation }) => explanation?.reason ?? null,
  ),
  message: field(nullable(text), 'The reason in a sentence.', ({ explanation }) => explanation?.message ?? null),
  superseded_by: field(
    nullable(reference('BuildSummary')),
    'Newer build of the branch that took the place of the build.',
    ({ context, explanation }) => presentSummary(context, explanation?.supersededById ?? null),
  ),
  jobs: field(arrayOf(jobSummarySchema), 'Jobs that somebody has to unblock.', ({ context, explanation }) =>
    presentJobs(context, explanation?.jobIds ?? []),
  ),
  canceled_by: field(nullable(reference('User')), 'User who canceled the build.', ({ context, build }) =>
    presentUserById(context, build.canceledById),
  ),
});

export const presentBuildExplanation = (
  context: Context,
  explained: Omit<BuildSource, 'context'>,
): Promise<JsonObject> => buildExplanationResource.present({ context, ...explained });

const kinds: Readonly<Record<PathKind, string>> = {
  running: 'running',
  agent: 'waiting_for_agent',
  concurrency: 'waiting_for_concurrency',
  person: 'waiting_for_person',
  other: 'other',
};

const stretchSchema = object({
  kind: described(enumOf(...Object.values(kinds)), 'What the build was doing.'),
  job: described(nullable(jobSummarySchema), 'Job that ran or waited; null before the first and after the last.'),
  started_at: described(time, 'Time the stretch began.'),
  finished_at: described(time, 'Time the stretch ended.'),
  duration: described(number, 'Seconds of the stretch.'),
});

export const criticalPathResource = resource<{ context: Context; path: readonly PathStretch[] }>({
  duration: field(number, 'Seconds from the creation of the build to its end, or to now.', ({ path }) =>
    path.reduce((sum, stretch) => sum + secondsOf(stretch), 0),
  ),
  durations: field(
    object(Object.fromEntries(Object.values(kinds).map((kind) => [kind, described(number, 'Seconds of the kind.')]))),
    'The same by what the build was doing.',
    ({ path }) =>
      Object.fromEntries(Object.entries(timeByKind(path)).map(([kind, time]) => [kinds[kind as PathKind], time])),
  ),
  path: field(arrayOf(stretchSchema), 'What made the build no shorter, from its creation on.', ({ context, path }) =>
    Promise.all(
      path.map(async (stretch) => ({
        kind: kinds[stretch.kind],
        job: stretch.jobId === null ? null : await presentJobSummary(context, stretch.jobId),
        started_at: formatTime(stretch.from),
        finished_at: formatTime(stretch.to),
        duration: secondsOf(stretch),
      })),
    ),
  ),
});

export const presentCriticalPath = (context: Context, { path }: BuildPath): Promise<JsonObject> =>
  criticalPathResource.present({ context, path });

/** The jobs that the caller may see, with addresses. */
async function presentJobs(context: Context, ids: readonly string[]): Promise<JsonObject[]> {
  const jobs = await Promise.all(ids.map((id) => presentJobSummary(context, id)));
  return jobs.filter((job) => job !== null);
}

async function presentJobSummary(context: Context, id: string): Promise<JsonObject | null> {
  const job = await context.references.job.load(id);
  const build = job && (await linkBuildById(context, job.buildId));
  if (!build) return null;
  const links = Urls.of(context).job(build.links, job);
  return {
    id: job.id,
    name: job.label,
    state: restJobState(job),
    url: links.api,
    web_url: links.web,
    build_url: build.links.api,
  };
}

async function presentSummary(context: Context, id: string | null): Promise<JsonObject | null> {
  const linked = await linkBuildById(context, id);
  return (
    linked && {
      id: linked.build.id,
      number: linked.build.number,
      url: linked.links.api,
      web_url: linked.links.web,
    }
  );
}
