import { restJobState } from '../../../domain/builds/job-state.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { JobRow } from '../../../entities/database.js';
import type { StepSummary } from '../../../loaders/loaders.js';
import {
  anything,
  arrayOf,
  boolean,
  described,
  enumOf,
  integer,
  largeInteger,
  nullable,
  object,
  reference,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { presentJobAgent } from '../agents/agent.js';
import { field, optionalField, resource } from '../fields.js';
import { presentUserById } from '../organizations/user.js';
import { Urls } from '../urls.js';
import { timeOrNull } from '../values.js';
import type { JobSource } from './job-source.js';

const stepSchema = object({
  id: described(uuid, 'ID of the step.'),
  signature: described(anything, 'Signature of the step, an object; null if it is not signed.'),
});

const prioritySchema = object({
  number: described(integer, 'Priority; jobs with a higher number are dispatched first.'),
});

const retrySourceSchema = object({
  job_id: described(uuid, 'ID of the job that this one retries.'),
  retry_type: described(nullable(text), 'Whether the retry was `manual` or `automatic`.'),
});

export const scriptJobResource = resource<JobSource>({
  id: field(uuid, 'ID of the job.', ({ job }) => job.id),
  graphql_id: field(text, 'ID of the job in the GraphQL API.', ({ job }) => encodeNodeId('Job', job.id)),
  type: field(enumOf('script'), 'Type of the job: a command step.', () => 'script'),
  name: field(nullable(text), 'Label of the step.', ({ job }) => job.label),
  step_key: field(nullable(text), 'Key of the step.', ({ step }) => step?.key ?? null),
  group_key: optionalField(
    nullable(text),
    'Key of the group step that the step is in; present only for such steps in a build or in its list of jobs.',
    presentGroupKey,
  ),
  step: field(stepSchema, 'Step that the job runs.', ({ job, step }) => ({
    id: job.stepId,
    signature: presentSignature(step),
  })),
  priority: field(prioritySchema, 'Priority of the job.', ({ job }) => ({ number: job.priority })),
  agent_query_rules: field(
    arrayOf(text),
    'Rules as `key=value` that an agent must match.',
    ({ job }) => job.agentQueryRules,
  ),
  state: field(text, 'State of the job.', ({ job }) => restJobState(job)),
  build_url: field(url, 'API URL of the build of the job.', ({ buildUrl }) => buildUrl),
  web_url: field(url, 'URL of the job on the page of its build.', ({ links }) => links.web),
  log_url: field(url, 'API URL of the log.', ({ links }) => `${links.api}/log`),
  raw_log_url: field(url, 'API URL of the log as plain text.', ({ links }) => `${links.api}/log.txt`),
  log_expired_at: field(
    nullable(time),
    'Time retention deleted the log, which is answered 410 since; null while it is kept.',
    ({ job }) => timeOrNull(job.logExpiredAt),
  ),
  artifacts_url: field(url, 'API URL of the artifacts of the job.', ({ links }) => `${links.api}/artifacts`),
  command: field(nullable(text), 'Command that the agent runs.', ({ job }) => job.command),
  soft_failed: field(boolean, 'Whether the job failed and `soft_fail` allows it.', ({ job }) => job.softFailed),
  exit_status: field(nullable(integer), 'Exit status of the command.', ({ job }) => job.exitStatus),
  signal: field(nullable(text), 'Signal that ended the command, such as `SIGTERM`.', ({ job }) => job.signal),
  signal_reason: field(nullable(text), 'Why the agent ended the command.', ({ job }) => job.signalReason),
  broken_reason: field(nullable(text), 'Why the job was not run.', ({ job }) => job.brokenReason),
  promised_exit_status: optionalField(
    nullable(integer),
    'Exit status that the agent announced while the job runs; present after the announcement.',
    ({ job }) => (job.promisedExitStatusAt === null ? undefined : job.promisedExitStatus),
  ),
  promised_exit_status_at: optionalField(
    time,
    'Time of the announcement.',
    ({ job }) => timeOrNull(job.promisedExitStatusAt) ?? undefined,
  ),
  artifact_paths: field(
    nullable(text),
    'Patterns of the files to upload, separated by semicolons.',
    ({ job }) => job.artifactPaths,
  ),
  agent: field(nullable(reference('Agent')), 'Agent that the job was assigned to.', ({ context, job }) =>
    job.agentId === null ? null : presentJobAgent(context, job.agentId),
  ),
  created_at: field(time, 'Time the job was created.', ({ job }) => formatTime(job.createdAt)),
  scheduled_at: field(nullable(time), 'Time the job was scheduled.', ({ job }) => timeOrNull(job.scheduledAt)),
  runnable_at: field(nullable(time), 'Time an agent could first take the job.', ({ job }) =>
    timeOrNull(job.runnableAt),
  ),
  concurrency_wait_time_ms: field(
    nullable(integer),
    'Milliseconds the job waited for its concurrency group; null without a group or while it waits.',
    ({ job }) => concurrencyWait(job),
  ),
  started_at: field(nullable(time), 'Time the job started.', ({ job }) => timeOrNull(job.startedAt)),
  finished_at: field(nullable(time), 'Time the job finished.', ({ job }) => timeOrNull(job.finishedAt)),
  expired_at: field(nullable(time), 'Time the job expired because no agent took it.', ({ job }) =>
    timeOrNull(job.expiredAt),
  ),
  retried: field(boolean, 'Whether the job was retried.', ({ job }) => job.retried),
  retried_in_job_id: field(nullable(uuid), 'ID of the job that retries this one.', ({ job }) => job.retriedInJobId),
  retries_count: field(nullable(integer), 'Number of retries that led to this job.', ({ job }) => job.retriesCount),
  retry_source: field(nullable(retrySourceSchema), 'Job that this one retries.', ({ job }) =>
    job.retrySourceId === null ? null : { job_id: job.retrySourceId, retry_type: job.retryType },
  ),
  retry_type: field(
    nullable(text),
    'Whether this job is a `manual` or `automatic` retry; null if it is none.',
    ({ job }) => job.retryType,
  ),
  parallel_group_index: field(
    nullable(integer),
    'Index of the job among the parallel jobs of its step, from 0.',
    ({ job }) => job.parallelGroupIndex,
  ),
  parallel_group_total: field(
    nullable(integer),
    'Number of parallel jobs of the step.',
    ({ job }) => job.parallelGroupTotal,
  ),
  matrix: field(anything, 'Values of the matrix dimensions for this job.', ({ job }) => job.matrix),
  retried_by: field(nullable(reference('User')), 'User who retried the job.', ({ context, job }) =>
    presentUserById(context, job.retriedById),
  ),
  cluster_id: field(nullable(uuid), 'ID of the cluster of the job.', ({ job }) => job.clusterId),
  cluster_url: field(nullable(url), 'API URL of the cluster.', ({ context, job, organization }) =>
    job.clusterId === null ? null : Urls.of(context).cluster(organization, job.clusterId).api,
  ),
  cluster_queue_id: field(nullable(uuid), 'ID of the queue of the job.', ({ job }) => job.clusterQueueId),
  cluster_queue_url: field(nullable(url), 'API URL of the queue.', presentQueueUrl),
});

/** Presents the job of a command step. */
export function presentScriptJob(source: JobSource): Promise<JsonObject> {
  return scriptJobResource.present(source);
}

export const jobLogSchema = object({
  url: described(url, 'API URL of the log.'),
  content: described(text, 'Log as the agent sent it, with ANSI escape sequences.'),
  size: described(largeInteger, 'Size of the log in bytes.'),
  header_times: described(arrayOf(largeInteger), 'Times the sections of the log began, in nanoseconds since 1970.'),
});

function presentGroupKey({ context, step, inBuild }: JobSource): undefined | Promise<string | null> {
  if (!inBuild || !step?.groupId) return undefined;
  return context.load.stepSummary.load(step.groupId).then((group) => group?.key ?? null);
}

function presentSignature(step: StepSummary | null): JsonObject | null {
  const signature = step?.signature ?? null;
  return typeof signature === 'object' && signature !== null && !Array.isArray(signature) ? signature : null;
}

function concurrencyWait(job: JobRow): number | null {
  if (job.concurrencyGroup === null || job.concurrencyQueuedAt === null || job.runnableAt === null) return null;
  // A retry keeps the place of the job that it repeats, which is older than the retry.
  const since = Math.max(job.concurrencyQueuedAt.getTime(), job.createdAt.getTime());
  return Math.max(0, job.runnableAt.getTime() - since);
}

function presentQueueUrl({ context, job, organization }: JobSource): string | null {
  const { clusterId, clusterQueueId } = job;
  if (clusterId === null || clusterQueueId === null) return null;
  return Urls.of(context).queue(organization, clusterId, clusterQueueId).api;
}
