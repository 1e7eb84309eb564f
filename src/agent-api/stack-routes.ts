import type { Json, JsonObject } from '../domain/pipelines/steps/step.js';
import { stackState } from '../domain/agents/stack.js';
import { deregisterStack } from '../operations/agents/stacks/deregister.js';
import { finishJobOfStack } from '../operations/agents/stacks/finish-job.js';
import { listScheduledJobs, type ScheduledJobs } from '../operations/agents/stacks/list-scheduled-jobs.js';
import { notifyOfStack } from '../operations/agents/stacks/notify.js';
import { readJobOfStack } from '../operations/agents/stacks/read-job.js';
import { readJobStatesOfStack } from '../operations/agents/stacks/read-job-states.js';
import { type RegisteredStack, registerStack } from '../operations/agents/stacks/register.js';
import { reserveJobs } from '../operations/agents/stacks/reserve-jobs.js';
import { type AgentRequest, type AgentRoute, route } from './route.js';

const stack = ({ params }: AgentRequest) => ({ stack: params['stack'] });
const jobOfStack = ({ params }: AgentRequest) => ({ stack: params['stack'], job: params['job'] });
const number = (text: string | null) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : text);

/** Calls of programs that start agents for jobs, such as the Kubernetes controller. */
export const stackRoutes: readonly AgentRoute[] = [
  route('post', '/stacks/register', registerStack, {
    rate: 'default',
    input: ({ json }) => ({
      key: json['key'],
      type: json['type'],
      queueKey: json['queue_key'],
      metadata: json['metadata'] ?? {},
    }),
    status: ({ created }) => (created ? 201 : 200),
    reply: registeredStack,
  }),
  route('post', '/stacks/:stack/deregister', deregisterStack, { rate: 'default', status: 204, input: stack }),
  route('get', '/stacks/:stack/scheduled-jobs', listScheduledJobs, {
    rate: 'list-scheduled-jobs',
    input: (request) => ({
      ...stack(request),
      queueKey: request.query.get('queue_key') ?? undefined,
      limit: number(request.query.get('limit')),
      after: request.query.get('after'),
    }),
    reply: scheduledJobs,
  }),
  route('put', '/stacks/:stack/scheduled-jobs/batch-reserve', reserveJobs, {
    rate: 'batch-reserve',
    input: (request) => ({
      ...stack(request),
      jobIds: request.json['job_uuids'],
      expirySeconds: request.json['reservation_expiry_seconds'],
    }),
    reply: ({ reserved, notReserved }) => ({ reserved, not_reserved: notReserved }),
  }),
  route('post', '/stacks/:stack/jobs/get-states', readJobStatesOfStack, {
    rate: 'batch-load-job-states',
    input: (request) => ({ ...stack(request), jobIds: request.json['job_uuids'] }),
    reply: (states) => ({ states: Object.fromEntries(states) }),
  }),
  route('get', '/stacks/:stack/jobs/:job', readJobOfStack, {
    rate: 'show-job',
    input: jobOfStack,
    reply: ({ id, env, command }) => ({ id, env, command }),
  }),
  route('post', '/stacks/:stack/jobs/:job/finish', finishJobOfStack, {
    rate: 'finish-job',
    input: (request) => ({
      ...jobOfStack(request),
      exitStatus: request.json['exit_status'],
      detail: request.json['detail'],
    }),
  }),
  route('post', '/stacks/:stack/notifications', notifyOfStack, {
    rate: 'stack-notification',
    input: (request) => ({ ...stack(request), notifications: drafts(request.json['notifications']) }),
    reply: (errors) => ({ errors: errors.map(({ error, indexes }) => ({ error, indexes })) }),
  }),
];

/** Answer to the registration of a stack. */
function registeredStack({ stack: row, queueKey }: RegisteredStack): JsonObject {
  return {
    id: row.id,
    organization_uuid: row.organizationId,
    cluster_queue_key: queueKey,
    key: row.key,
    type: row.type,
    metadata: row.metadata,
    last_connected_on: row.lastConnectedAt.toISOString(),
    state: stackState(row, row.lastConnectedAt),
  };
}

/** Answer to a list of scheduled jobs. Clients read whether the queue is paused under two names. */
function scheduledJobs({ jobs, queue, endCursor, hasNextPage }: ScheduledJobs): JsonObject {
  const paused = queue.dispatchPausedAt !== null;
  return {
    jobs: jobs.map(({ id, priority, agentQueryRules, scheduledAt, pipeline, build, step }) => ({
      id,
      priority,
      agent_query_rules: agentQueryRules,
      scheduled_at: scheduledAt?.toISOString() ?? null,
      pipeline: { slug: pipeline.slug, uuid: pipeline.id },
      build: { number: build.number, branch: build.branch, uuid: build.id },
      step: { key: step.key },
    })),
    cluster_queue: { id: queue.id, paused, dispatch_paused: paused },
    page_info: { has_next_page: hasNextPage, end_cursor: endCursor },
  };
}

/** Notifications by the names of the operation. What is no object is refused with the reason for an empty one. */
function drafts(notifications: Json | undefined): unknown {
  if (!Array.isArray(notifications)) return notifications;
  return notifications.map((each) => {
    const fields = typeof each === 'object' && each !== null && !Array.isArray(each) ? each : {};
    return { jobId: fields['job_uuid'], detail: fields['detail'], timestamp: fields['timestamp'] };
  });
}
