import type { Context } from '../../context.js';
import { restJobState } from '../../domain/job-state.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { JobRow } from '../../entities/database.js';
import type { StepSummary } from '../../loaders.js';
import { presentJobAgent } from './agent.js';
import type { PlacedJob } from './place.js';
import { Urls } from './urls.js';
import { presentUserById } from './user.js';
import { timeOrNull } from './values.js';

/** A command job: `script` on the wire (order of rest-facts 2.3.1, which holds that of 9.5). */
export async function presentScriptJob(context: Context, placed: PlacedJob): Promise<JsonObject> {
  const { job, step, urls } = placed;
  const { group, agent, retriedBy } = await presentReferences(context, placed);
  return {
    id: job.id,
    graphql_id: encodeNodeId('Job', job.id),
    type: 'script',
    name: job.label,
    step_key: step?.key ?? null,
    ...group,
    step: { id: job.stepId, signature: presentSignature(step) },
    priority: { number: job.priority },
    agent_query_rules: job.agentQueryRules,
    state: restJobState(job),
    build_url: placed.buildUrl,
    web_url: urls.web,
    log_url: `${urls.api}/log`,
    raw_log_url: `${urls.api}/log.txt`,
    artifacts_url: `${urls.api}/artifacts`,
    command: job.command,
    soft_failed: job.softFailed,
    exit_status: job.exitStatus,
    signal: job.signal,
    signal_reason: job.signalReason,
    broken_reason: job.brokenReason,
    ...presentPromise(job),
    artifact_paths: job.artifactPaths,
    agent,
    created_at: formatTime(job.createdAt),
    scheduled_at: timeOrNull(job.scheduledAt),
    runnable_at: timeOrNull(job.runnableAt),
    concurrency_wait_time_ms: concurrencyWait(job),
    started_at: timeOrNull(job.startedAt),
    finished_at: timeOrNull(job.finishedAt),
    expired_at: timeOrNull(job.expiredAt),
    retried: job.retried,
    retried_in_job_id: job.retriedInJobId,
    retries_count: job.retriesCount,
    retry_source: job.retrySourceId === null ? null : { job_id: job.retrySourceId, retry_type: job.retryType },
    retry_type: job.retryType,
    parallel_group_index: job.parallelGroupIndex,
    parallel_group_total: job.parallelGroupTotal,
    matrix: job.matrix,
    retried_by: retriedBy,
    ...presentCluster(context, placed),
  };
}

interface References {
  group: JsonObject;
  agent: JsonObject | null;
  retriedBy: JsonObject | null;
}

const noReferences: References = { group: {}, agent: null, retriedBy: null };

/** Most jobs of a list have none, and waiting for nothing adds up there. */
async function presentReferences(context: Context, placed: PlacedJob): Promise<References> {
  const { job, step, inBuild } = placed;
  if (job.agentId === null && job.retriedById === null && !(inBuild && step?.groupId)) return noReferences;
  const [group, agent, retriedBy] = await Promise.all([
    presentGroupKey(context, placed),
    presentJobAgent(context, job.agentId),
    presentUserById(context, job.retriedById),
  ]);
  return { group, agent, retriedBy };
}

async function presentGroupKey(context: Context, { step, inBuild }: PlacedJob): Promise<JsonObject> {
  if (!inBuild || !step?.groupId) return {};
  const group = await context.load.stepSummary.load(step.groupId);
  return { group_key: group?.key ?? null };
}

function presentSignature(step: StepSummary | null): JsonObject | null {
  const signature = step?.signature ?? null;
  return typeof signature === 'object' && signature !== null && !Array.isArray(signature) ? signature : null;
}

/** There only once the agent has promised how the job will exit (rest-facts 2.3.1). */
function presentPromise(job: JobRow): JsonObject {
  if (job.promisedExitStatusAt === null) return {};
  return { promised_exit_status: job.promisedExitStatus, promised_exit_status_at: timeOrNull(job.promisedExitStatusAt) };
}

/** Milliseconds in the line of a concurrency group; null without a group or while still in line. */
function concurrencyWait(job: JobRow): number | null {
  if (job.concurrencyGroup === null || job.concurrencyQueuedAt === null || job.runnableAt === null) return null;
  return Math.max(0, job.runnableAt.getTime() - job.concurrencyQueuedAt.getTime());
}

function presentCluster(context: Context, { job, organization }: PlacedJob): JsonObject {
  const urls = Urls.of(context);
  const { clusterId, clusterQueueId } = job;
  return {
    cluster_id: clusterId,
    cluster_url: clusterId === null ? null : urls.cluster(organization, clusterId).api,
    cluster_queue_id: clusterQueueId,
    cluster_queue_url: clusterId === null || clusterQueueId === null ? null : urls.queue(organization, clusterId, clusterQueueId).api,
  };
}
