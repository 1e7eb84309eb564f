import type { Context } from '../../../request/context.js';
import { blockedStates, buildStates, restBuildState } from '../../../domain/builds/build-state.js';
import { restJobState } from '../../../domain/builds/job-state.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { ShownBuildRow, JobRow } from '../../../entities/database.js';
import { loadOrNull } from '../../../loaders/batch-loader.js';
import { runsOfBuild } from '../../../resources/suites/suite-runs/of-builds.js';
import {
  anything,
  arrayOf,
  boolean,
  described,
  enumOf,
  integer,
  mapOf,
  nullable,
  object,
  reference,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { freshPart, keptPart, leavesGaps, showPart } from '../../parts/part.js';
import { field, type Fields, optionalField, resource } from '../fields.js';
import { type BuildAddress, linkBuild, linkBuildById, linksOf, placeOf } from '../linked-build.js';
import { presentUserById } from '../organizations/user.js';
import { pipelineOfBuildPart } from '../pipelines/pipeline.js';
import type { Links } from '../urls.js';
import { existing, timeOrNull } from '../values.js';
import { jobPart } from './job.js';

/** The query parameters that decide which parts of a build a reply shows. */
export interface BuildView {
  includeRetriedJobs?: boolean | undefined;
  excludeJobs?: boolean | undefined;
  excludePipeline?: boolean | undefined;
  /** States of the jobs to show, in the words of /v2. */
  jobStates?: ReadonlySet<string> | undefined;
  /** Adds `test_engine`: the test runs of the build. */
  includeTestEngine?: boolean | undefined;
  /** Adds `job_state_counts`, which only the reply for one build has. */
  counted?: boolean;
}

interface BuildSource {
  context: Context;
  build: ShownBuildRow;
  place: BuildAddress;
  links: Links;
  view: BuildView;
}

export const buildAuthorSchema = object(
  {},
  {
    name: described(nullable(text), 'Name of the author.'),
    email: described(nullable(text), 'Email address of the author.'),
    username: described(nullable(text), 'Username of the author at the source provider.'),
  },
);

export const pullRequestSchema = object(
  {},
  {
    id: described(text, 'Number of the pull request, as text.'),
    base: described(nullable(text), 'Branch that the pull request is to be merged into.'),
    repository: described(nullable(text), 'Repository that the pull request comes from.'),
    labels: described(arrayOf(text), 'Labels of the pull request.'),
    draft: described(boolean, 'Whether the pull request is a draft.'),
  },
);

const triggeredFromSchema = object({
  build_id: described(uuid, 'ID of the build with the trigger step.'),
  build_number: described(integer, 'Number of that build in its pipeline.'),
  build_pipeline_slug: described(text, 'Slug of the pipeline of that build.'),
});

const pinSchema = object({
  created_at: described(time, 'Time the build was pinned.'),
  created_by: described(nullable(reference('User')), 'User who pinned it.'),
  reason: described(nullable(text), 'Reason for keeping the build.'),
});

async function presentPin({ context, build }: BuildSource): Promise<JsonObject | null> {
  if (build.pinnedAt === null) return null;
  return {
    created_at: formatTime(build.pinnedAt),
    created_by: await presentUserById(context, build.pinnedById),
    reason: build.pinReason,
  };
}

const testEngineSchema = object({
  runs: described(
    arrayOf(
      object({
        id: described(uuid, 'ID of the run.'),
        suite: described(
          object({ id: described(uuid, 'ID of the suite.'), slug: described(text, 'Slug of the suite.') }),
          'Test suite of the run.',
        ),
      }),
    ),
    'Test suite runs that belong to the build.',
  ),
});

const jobStateCountsSchema = object({
  total: described(integer, 'Number of jobs in the build.'),
  states: described(mapOf(integer), 'Number of jobs in each state.'),
});

/** A blocked build shows another state. */
const shownStates = buildStates.filter((state) => state !== 'blocked');

const buildFields: Fields<BuildSource> = {
  id: field(uuid, 'ID of the build.', ({ build }) => build.id),
  graphql_id: field(text, 'ID of the build in the GraphQL API.', ({ build }) => encodeNodeId('Build', build.id)),
  url: field(url, 'API URL of the build.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the build.', ({ links }) => links.web),
  number: field(integer, 'Number of the build in its pipeline.', ({ build }) => build.number),
  state: field(
    enumOf(...shownStates),
    'State of the build. A blocked build shows the value of `blocked_state` here.',
    ({ build }) => restBuildState(build),
  ),
  blocked: field(boolean, 'Whether the build waits at a block step.', ({ build }) => build.state === 'blocked'),
  blocked_state: field(
    nullable(enumOf(...blockedStates)),
    'State that the block step gives the build; null unless it is blocked.',
    ({ build }) => (build.state === 'blocked' ? restBuildState(build) : null),
  ),
  message: field(nullable(text), 'Message of the build, usually the commit message.', ({ build }) => build.message),
  commit: field(text, 'Commit SHA, branch head or tag that is built.', ({ build }) => build.commit),
  branch: field(text, 'Branch of the commit.', ({ build }) => build.branch),
  tag: field(nullable(text), 'Tag of the commit.', ({ build }) => build.tag),
  env: field(mapOf(anything), 'Environment variables set when the build was created.', ({ build }) => build.env),
  source: field(
    enumOf('api', 'ui', 'webhook', 'schedule', 'trigger_job'),
    'What created the build.',
    ({ build }) => build.source,
  ),
  author: field(
    nullable(reference('BuildAuthor')),
    'Author of the commit.',
    ({ build }) => build.author as JsonObject | null,
  ),
  creator: field(nullable(reference('User')), 'User who created the build.', ({ context, build }) =>
    presentUserById(context, build.creatorId),
  ),
  created_at: field(time, 'Time the build was created.', ({ build }) => formatTime(build.createdAt)),
  scheduled_at: field(nullable(time), 'Time the build was scheduled.', ({ build }) => timeOrNull(build.scheduledAt)),
  started_at: field(nullable(time), 'Time the first job started.', ({ build }) => timeOrNull(build.startedAt)),
  finished_at: field(nullable(time), 'Time the last job finished.', ({ build }) => timeOrNull(build.finishedAt)),
  meta_data: field(mapOf(text), 'Meta-data of the build.', ({ context, build }) =>
    context.load.metaDataOfBuild.load(build.id),
  ),
  pull_request: field(
    reference('PullRequest'),
    'Pull request of the build; an empty object if it has none.',
    ({ build }) => presentPullRequest(build),
  ),
  rebuilt_from: field(nullable(reference('BuildSummary')), 'Build that this one repeats.', presentRebuiltFrom),
  pipeline: optionalField(
    reference('Pipeline'),
    'Pipeline of the build; absent with `exclude_pipeline`.',
    ({ context, build, view }) =>
      view.excludePipeline ? undefined : showPart(context, pipelineOfBuildPart, { id: build.pipelineId }),
  ),
  jobs: optionalField(
    arrayOf(reference('Job')),
    'Jobs of the build in the order of the pipeline; absent with `exclude_jobs`.',
    (source) => (source.view.excludeJobs ? undefined : showPart(source.context, jobsPart, shownJobs(source))),
  ),
  job_state_counts: optionalField(
    jobStateCountsSchema,
    'Number of jobs by state, whatever `jobs` shows; present for a single build only.',
    (source) => (source.view.counted ? showPart(source.context, jobStateCountsPart, countedJobs(source)) : undefined),
  ),
  cancel_reason: field(nullable(text), 'Reason for canceling the build.', ({ build }) => build.cancelReason),
  failing_at: field(
    nullable(time),
    'Time the first job failed while others were unfinished; kept when the job is retried.',
    ({ build }) => timeOrNull(build.failingAt),
  ),
  culprit_search_id: field(
    nullable(uuid),
    'ID of the search for a culprit that the build tests a commit for.',
    ({ build }) => build.culpritSearchId,
  ),
  triggered_from: field(
    nullable(triggeredFromSchema),
    'Build whose trigger step created this one.',
    presentTriggeredFrom,
  ),
  pin: field(nullable(pinSchema), 'Mark that keeps the build from retention; null without one.', presentPin),
  merge_queue: field(anything, 'Merge queue of the build; always null.', () => null),
  test_engine: optionalField(
    testEngineSchema,
    'Test results of the build; present with `include_test_engine`.',
    ({ context, build, view }) =>
      view.includeTestEngine ? showPart(context, testEnginePart, { build: build.id }) : undefined,
  ),
};

export const buildResource = resource(buildFields);

export const buildAfterRetryResource = resource<BuildSource & { retriedJobsCount: number }>({
  ...buildFields,
  retried_jobs_count: field(integer, 'Number of jobs that were retried.', ({ retriedJobsCount }) => retriedJobsCount),
});

/** A build as another resource refers to it. */
export const buildSummarySchema = object(
  {
    id: described(uuid, 'ID of the build.'),
    number: described(integer, 'Number of the build in its pipeline.'),
    url: described(url, 'API URL of the build.'),
  },
  { web_url: described(url, 'URL of the page of the build.') },
);

interface BuildPartArgs {
  id: string;
  place: BuildAddress;
  view: KeptView;
}

/** A {@link BuildView} that can be written as JSON. */
type KeptView = Omit<BuildView, 'jobStates'> & { jobStates?: readonly string[] | undefined };

/** A build: its pipeline, its jobs and what is counted of them are parts of their own. */
export const buildPart = keptPart<BuildPartArgs, ShownBuildRow>('build', 'builds', async (context, args, row) =>
  buildResource.present(sourceOf(context, existing(row, 'a build'), args.place, args.view)),
);

function sourceOf(context: Context, build: ShownBuildRow, place: BuildAddress, view: KeptView): BuildSource {
  const jobStates = view.jobStates && new Set(view.jobStates);
  return { context, build, place, links: linksOf(context, place), view: { ...view, jobStates } };
}

export async function presentBuild(context: Context, build: ShownBuildRow, view: BuildView = {}): Promise<JsonObject> {
  const linked = await linkBuild(context, build);
  const keptView = { ...view, jobStates: view.jobStates && [...view.jobStates] };
  return showPart(context, buildPart, { id: build.id, place: placeOf(linked), view: keptView }, build);
}

/** Presents a build whose failed jobs were retried, with their number. */
export async function presentBuildAfterRetry(
  context: Context,
  { build, retriedJobsCount }: { build: ShownBuildRow; retriedJobsCount: number },
): Promise<JsonObject> {
  const linked = await linkBuild(context, build);
  return buildAfterRetryResource.present({ ...sourceOf(context, build, placeOf(linked), {}), retriedJobsCount });
}

const testEnginePart = freshPart<{ build: string }>('test engine of a build', async (context, { build }) => {
  const runs = await runsOfBuild(context, build);
  return { runs: runs.map((run) => ({ id: run.id, suite: { id: run.suiteId, slug: run.suiteSlug } })) };
});

/** Clients decode the number of a pull request as text. */
function presentPullRequest(build: ShownBuildRow): JsonObject {
  if (build.pullRequestId === null) return {};
  return {
    id: build.pullRequestId,
    base: build.pullRequestBaseBranch,
    repository: build.pullRequestRepository,
    ...(build.pullRequestLabels.length > 0 ? { labels: build.pullRequestLabels } : {}),
    ...(build.pullRequestDraft === null ? {} : { draft: build.pullRequestDraft }),
  };
}

async function presentRebuiltFrom({ context, build }: BuildSource): Promise<JsonObject | null> {
  const source = await linkBuildById(context, build.rebuiltFromId);
  return source && { id: source.build.id, number: source.build.number, url: source.links.api };
}

async function presentTriggeredFrom({ context, build }: BuildSource): Promise<JsonObject | null> {
  const job = await loadOrNull(context.references.job, build.triggeredFromJobId);
  const source = await linkBuildById(context, job?.buildId ?? null);
  return (
    source && {
      build_id: source.build.id,
      build_number: source.build.number,
      build_pipeline_slug: source.pipeline.slug,
    }
  );
}

interface CountedJobs {
  build: string;
  includeRetried: boolean;
}

interface ShownJobs extends CountedJobs {
  place: BuildAddress;
  states: readonly string[] | null;
}

const countedJobs = ({ build, view }: BuildSource): CountedJobs => ({
  build: build.id,
  includeRetried: view.includeRetriedJobs ?? false,
});

const shownJobs = (source: BuildSource): ShownJobs => ({
  ...countedJobs(source),
  place: source.place,
  states: source.view.jobStates ? [...source.view.jobStates] : null,
});

/** Which jobs a build shows, in the order of the pipeline; each is a part of its own. */
const jobsPart = keptPart<ShownJobs, never>('jobs of a build', null, async (context, args) => {
  const { build, place, includeRetried, states } = args;
  const shown = <T extends ShownState>(jobs: T[]) =>
    states ? jobs.filter((job) => states.includes(restJobState(job))) : jobs;
  const show = (id: string, row: JobRow | null) => showPart(context, jobPart, { id, build, place, inBuild: true }, row);
  if (leavesGaps(context)) {
    const outlines = await loadOutlines(context, build, includeRetried);
    return Promise.all(shown(outlines).map(({ id }) => show(id, null)));
  }
  const jobs = await (includeRetried ? context.load.allJobsOfBuild : context.load.jobsOfBuild).load(build);
  return Promise.all(shown(jobs).map((job) => show(job.id, job)));
});

type ShownState = Parameters<typeof restJobState>[0];

const jobStateCountsPart = keptPart<CountedJobs, never>('job states of a build', null, async (context, args) => {
  const jobs = await loadOutlines(context, args.build, args.includeRetried);
  const states: Record<string, number> = {};
  for (const job of jobs) states[restJobState(job)] = (states[restJobState(job)] ?? 0) + 1;
  return { total: jobs.length, states };
});

const loadOutlines = ({ load }: Context, build: string, includeRetried: boolean) =>
  (includeRetried ? load.allJobOutlinesOfBuild : load.jobOutlinesOfBuild).load(build);
