import type { Json, JsonObject } from '../domain/steps/step.js';
import { chunkMaxBytes, logMaxBytes } from '../domain/logs/limits.js';
import type { AgentMetrics } from '../operations/agents/metrics.js';
import type { PingAnswer } from '../operations/agents/ping.js';
import type { RegisteredAgent } from '../operations/agents/register.js';
import type { AcceptedJob } from '../operations/jobs/accepted-job.js';
import { pingIntervalSeconds } from '../operations/scheduling/job-patch.js';

/** Whole numbers of at least 1: agents crash on anything else (trap T4). */
const intervals = { ping_interval: pingIntervalSeconds, job_status_interval: 2, heartbeat_interval: 30 } as const;

/** Seconds between two deliveries of log output. */
const chunksIntervalSeconds = 1;

/** Answer to register (agent-protocol 4.1); without `endpoint`, so that agents stay where they reached us (trap T26). */
export function registration({ agent, sessionToken }: RegisteredAgent): JsonObject {
  return { id: agent.id, name: agent.name, access_token: sessionToken, ...intervals, meta_data: agent.metaData };
}

/** Answer to ping (agent-protocol 4.4): always an object, never empty (trap T1). */
export function ping({ action, message, job }: PingAnswer): JsonObject {
  return {
    ...(action === null ? {} : { action }),
    ...(message === null ? {} : { message }),
    ...(job === null ? {} : { job: { id: job.id, state: job.state } }),
  };
}

/** Answer to accept and acquire (agent-protocol 5.3). */
export function jobPayload({ job, env, token, signed }: AcceptedJob): JsonObject {
  return {
    id: job.id,
    state: job.state,
    env,
    token,
    chunks_max_size_bytes: chunkMaxBytes,
    chunks_interval_seconds: chunksIntervalSeconds,
    log_max_size_bytes: logMaxBytes,
    priority: job.priority,
    ...(job.runnableAt === null ? {} : { runnable_at: job.runnableAt.toISOString() }),
    ...(signed === null ? {} : { step: signed.step }),
    ...(signed?.matrixPermutation ? { matrix_permutation: signed.matrixPermutation } : {}),
  };
}

/** Answer to heartbeat (agent-protocol 4.3). */
export function heartbeat(sentAt: Json | undefined, receivedAt: Date): JsonObject {
  return { sent_at: typeof sentAt === 'string' ? sentAt : receivedAt.toISOString(), received_at: receivedAt.toISOString() };
}

/** Answer to metrics (agent-protocol 16): with the queues, or without them for one queue. */
export function metrics({ organizationSlug, clusterName, queues, all }: AgentMetrics, { withQueues }: { withQueues: boolean }): JsonObject {
  const each = (part: 'agents' | 'jobs'): JsonObject => (withQueues ? { queues: Object.fromEntries([...queues].map(([key, counts]) => [key, { ...counts[part] }])) } : {});
  return {
    agents: { ...all.agents, ...each('agents') },
    jobs: { ...all.jobs, ...each('jobs') },
    organization: { slug: organizationSlug },
    cluster: { name: clusterName },
  };
}
