import type { Context } from '../../context.js';
import { isUnblockable, restJobState } from '../../domain/job-state.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { JobRow } from '../../entities/database.js';
import { placeBuildById, type PlacedBuild, type PlacedJob } from './place.js';
import { presentScriptJob } from './script-job.js';
import { Urls } from './urls.js';
import { presentUserById } from './user.js';
import { existing, timeOrNull } from './values.js';

/** A job by its type: script, waiter, manual (block and input) or trigger (rest-facts 2.3.1). `inBuild`: the build that the reply shows it in. */
export async function presentJob(context: Context, job: JobRow, inBuild: PlacedBuild | null = null): Promise<JsonObject> {
  if (job.type === 'wait') return { id: job.id, graphql_id: encodeNodeId('Job', job.id), type: 'waiter' };
  const placed = await placeJob(context, job, inBuild);
  if (job.type === 'command') return presentScriptJob(context, placed);
  return job.type === 'trigger' ? presentTriggerJob(context, placed) : presentManualJob(context, placed);
}

async function placeJob(context: Context, job: JobRow, inBuild: PlacedBuild | null): Promise<PlacedJob> {
  const summary = context.load.stepSummary.load(job.stepId);
  const { organization, urls } = inBuild ?? existing(await placeBuildById(context, job.buildId), 'a build');
  return { job, organization, step: await summary, urls: Urls.of(context).job(urls, job), buildUrl: urls.api, inBuild: inBuild !== null };
}

async function presentManualJob(context: Context, { job, step, urls }: PlacedJob): Promise<JsonObject> {
  return {
    id: job.id,
    graphql_id: encodeNodeId('Job', job.id),
    type: 'manual',
    label: job.label ?? '',
    state: restJobState(job),
    step_key: step?.key ?? null,
    web_url: null,
    unblocked_by: await presentUserById(context, job.unblockedById),
    unblocked_at: timeOrNull(job.unblockedAt),
    unblockable: isUnblockable(job.type, job.state) ?? false,
    unblock_url: `${urls.api}/unblock`,
  };
}

async function presentTriggerJob(context: Context, { job, step, urls, buildUrl }: PlacedJob): Promise<JsonObject> {
  const triggered = await placeBuildById(context, job.triggeredBuildId);
  return {
    id: job.id,
    graphql_id: encodeNodeId('Job', job.id),
    type: 'trigger',
    name: job.label,
    step_key: step?.key ?? null,
    state: restJobState(job),
    async: job.async,
    build_url: buildUrl,
    web_url: urls.web,
    created_at: formatTime(job.createdAt),
    scheduled_at: timeOrNull(job.scheduledAt),
    runnable_at: timeOrNull(job.runnableAt),
    started_at: timeOrNull(job.startedAt),
    finished_at: timeOrNull(job.finishedAt),
    triggered_build: triggered && { id: triggered.build.id, number: triggered.build.number, url: triggered.urls.api, web_url: triggered.urls.web },
  };
}
