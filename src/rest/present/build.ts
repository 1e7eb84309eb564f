import type { Context } from '../../context.js';
import { restBuildState } from '../../domain/build-state.js';
import { restJobState } from '../../domain/job-state.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import { runsOfBuild } from '../../operations/runs/of-builds.js';
import { presentJob } from './job.js';
import { presentPipeline } from './pipeline.js';
import { placeBuild, placeBuildById, type PlacedBuild } from './place.js';
import { presentUserById } from './user.js';
import { timeOrNull } from './values.js';

/** What of a build a reply shows; each is a query parameter (rest-facts 2.2.2). */
export interface BuildView {
  includeRetriedJobs?: boolean | undefined;
  excludeJobs?: boolean | undefined;
  excludePipeline?: boolean | undefined;
  /** States, as REST prints them, of the jobs to show. */
  jobStates?: ReadonlySet<string> | undefined;
  /** Adds `test_engine`: the test runs of the build. */
  includeTestEngine?: boolean | undefined;
  /** Adds `job_state_counts`, which only the reply for one build has. */
  counted?: boolean;
}

/** A build (key order of rest-facts 9.5, then the later keys). */
export async function presentBuild(context: Context, build: BuildRow, view: BuildView = {}): Promise<JsonObject> {
  const placed = await placeBuild(context, build);
  const { pipeline, urls } = placed;
  const [creator, metaData, rebuiltFrom, triggeredFrom, presentedPipeline, jobs, testEngine] = await Promise.all([
    presentUserById(context, build.creatorId),
    context.load.metaDataOfBuild.load(build.id),
    presentRebuiltFrom(context, build),
    presentTriggeredFrom(context, build),
    view.excludePipeline ? null : presentPipeline(context, pipeline),
    presentJobs(context, placed, view),
    view.includeTestEngine ? presentTestEngine(context, build) : {},
  ]);
  return {
    id: build.id,
    graphql_id: encodeNodeId('Build', build.id),
    url: urls.api,
    web_url: urls.web,
    number: build.number,
    state: restBuildState(build),
    blocked: build.state === 'blocked',
    blocked_state: build.state === 'blocked' ? restBuildState(build) : null,
    message: build.message,
    commit: build.commit,
    branch: build.branch,
    tag: build.tag,
    env: build.env,
    source: build.source,
    author: build.author as JsonObject | null,
    creator,
    created_at: formatTime(build.createdAt),
    scheduled_at: timeOrNull(build.scheduledAt),
    started_at: timeOrNull(build.startedAt),
    finished_at: timeOrNull(build.finishedAt),
    meta_data: metaData,
    pull_request: presentPullRequest(build),
    rebuilt_from: rebuiltFrom,
    ...(presentedPipeline ? { pipeline: presentedPipeline } : {}),
    ...jobs,
    cancel_reason: build.cancelReason,
    failing_at: timeOrNull(build.failingAt),
    triggered_from: triggeredFrom,
    merge_queue: null,
    ...testEngine,
  };
}

async function presentTestEngine(context: Context, { id }: BuildRow): Promise<JsonObject> {
  const runs = await runsOfBuild(context, id);
  return { test_engine: { runs: runs.map((run) => ({ id: run.id, suite: { id: run.suiteId, slug: run.suiteSlug } })) } };
}

/** Empty when the build is of no pull request (api-v2.md); the number is text, as clients decode it (compatibility 18). */
function presentPullRequest(build: BuildRow): JsonObject {
  if (build.pullRequestId === null) return {};
  return {
    id: build.pullRequestId,
    base: build.pullRequestBaseBranch,
    repository: build.pullRequestRepository,
    ...(build.pullRequestLabels.length > 0 ? { labels: build.pullRequestLabels } : {}),
    ...(build.pullRequestDraft === null ? {} : { draft: build.pullRequestDraft }),
  };
}

async function presentRebuiltFrom(context: Context, { rebuiltFromId }: BuildRow): Promise<JsonObject | null> {
  const source = await placeBuildById(context, rebuiltFromId);
  return source && { id: source.build.id, number: source.build.number, url: source.urls.api };
}

async function presentTriggeredFrom(context: Context, { triggeredFromJobId }: BuildRow): Promise<JsonObject | null> {
  const job = await loadOrNull(context.load.job, triggeredFromJobId);
  const source = await placeBuildById(context, job?.buildId ?? null);
  return source && { build_id: source.build.id, build_number: source.build.number, build_pipeline_slug: source.pipeline.slug };
}

/** `jobs` in pipeline order and, for one build, `job_state_counts` over all of them whatever is shown. */
async function presentJobs(context: Context, placed: PlacedBuild, view: BuildView): Promise<JsonObject> {
  if (view.excludeJobs && !view.counted) return {};
  const rows = await (view.includeRetriedJobs ? context.load.allJobsOfBuild : context.load.jobsOfBuild).load(placed.build.id);
  const shown = view.jobStates ? rows.filter((row) => view.jobStates?.has(restJobState(row))) : rows;
  const reply: JsonObject = {};
  if (!view.excludeJobs) reply['jobs'] = await Promise.all(shown.map((row) => presentJob(context, row, placed)));
  if (view.counted) reply['job_state_counts'] = countStates(rows);
  return reply;
}

function countStates(rows: JobRow[]): JsonObject {
  const states: Record<string, number> = {};
  for (const row of rows) states[restJobState(row)] = (states[restJobState(row)] ?? 0) + 1;
  return { total: rows.length, states };
}
