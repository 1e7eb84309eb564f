import type { Json, JsonObject } from '../domain/pipelines/steps/step.js';
import { chunkMaxBytes, logMaxBytes } from '../domain/limits/log-limits.js';
import type { TokenIdentity } from '../operations/agents/agent-tokens/identify.js';
import type { AgentMetrics } from '../operations/agents/metrics.js';
import type { PingAnswer } from '../operations/agents/ping.js';
import type { RegisteredAgent } from '../operations/agents/register.js';
import type { StepUploadOutcome } from '../resources/builds/step-uploads/step-upload.js';
import { wrongState } from '../domain/problem.js';
import type { AcceptedJob } from '../resources/builds/jobs/accepted-job.js';
import { pingIntervalSeconds } from '../domain/agents/agent-state.js';

/** Whole numbers of at least 1: agents crash on any other value. */
const intervals = { ping_interval: pingIntervalSeconds, job_status_interval: 2, heartbeat_interval: 30 } as const;

/** Seconds between two deliveries of log output. */
const chunksIntervalSeconds = 1;

/** Answer to register; without `endpoint`, so that agents keep the URL they used. */
export function registration({ agent, sessionToken }: RegisteredAgent): JsonObject {
  return { id: agent.id, name: agent.name, access_token: sessionToken, ...intervals, meta_data: agent.metaData };
}

/** Answer to ping: always an object with members; agents fail on an empty body. */
export function ping({ action, message, job }: PingAnswer): JsonObject {
  return {
    ...(action === null ? {} : { action }),
    ...(message === null ? {} : { message }),
    ...(job === null ? {} : { job: { id: job.id, state: job.state } }),
  };
}

/** Answer to a ping with a job that is offered to the agent just now. */
export const offer = (jobId: string): JsonObject => ({ job: { id: jobId, state: 'assigned' } });

/** Answer to accept and acquire. */
export function jobPayload({ job, env, token, step, matrixPermutation, traceparent }: AcceptedJob): JsonObject {
  return {
    id: job.id,
    state: job.state,
    env,
    token,
    chunks_max_size_bytes: chunkMaxBytes,
    chunks_interval_seconds: chunksIntervalSeconds,
    log_max_size_bytes: logMaxBytes,
    priority: job.priority,
    traceparent,
    ...(job.runnableAt === null ? {} : { runnable_at: job.runnableAt.toISOString() }),
    ...(step === null ? {} : { step }),
    ...(matrixPermutation === null ? {} : { matrix_permutation: matrixPermutation }),
  };
}

/** Answer to a pipeline upload that was applied; a rejected one is refused, which agents do not retry. */
export function appliedUpload(upload: StepUploadOutcome): JsonObject {
  if (upload.state === 'rejected') throw wrongState(upload.message ?? 'The pipeline was rejected');
  return uploadState(upload);
}

/** Answer to a question about a pipeline upload. */
export function uploadState({ uuid, state, message }: StepUploadOutcome): JsonObject {
  return { uuid, state, ...(message === null ? {} : { message }) };
}

/** Answer to heartbeat. */
export function heartbeat(sentAt: Json | undefined, receivedAt: Date): JsonObject {
  return {
    sent_at: typeof sentAt === 'string' ? sentAt : receivedAt.toISOString(),
    received_at: receivedAt.toISOString(),
  };
}

/** Answer to metrics: with the queues, or without them for one queue. */
export function metrics(
  { organizationSlug, clusterName, queues, all }: AgentMetrics,
  { withQueues }: { withQueues: boolean },
): JsonObject {
  const each = (part: 'agents' | 'jobs'): JsonObject =>
    withQueues ? { queues: Object.fromEntries([...queues].map(([key, counts]) => [key, { ...counts[part] }])) } : {};
  return {
    agents: { ...all.agents, ...each('agents') },
    jobs: { ...all.jobs, ...each('jobs') },
    organization: { slug: organizationSlug },
    cluster: { name: clusterName },
  };
}

/** Reply to `GET token`, with the field names of the vendor's service; blank if the cluster has no default queue. */
export function tokenIdentity({ id, description, organization, cluster, queue }: TokenIdentity): JsonObject {
  return {
    uuid: id,
    description,
    token_type: 'cluster_token',
    organization_slug: organization.slug,
    organization_uuid: organization.id,
    cluster_uuid: cluster.id,
    cluster_name: cluster.name,
    organization_queue_uuid: queue?.id ?? '',
    organization_queue_key: queue?.key ?? '',
  };
}
