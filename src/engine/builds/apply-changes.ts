import type { Context } from '../../context.js';
import { jobExpiryMinutes } from '../../domain/builds/job-expiry.js';
import { takesPlaceNow } from '../../domain/agents/concurrency.js';
import type { JobChange } from '../../domain/builds/schedule-facts.js';
import type { Patch } from '../../entities/database.js';
import type { EventFact } from '../../record-events.js';
import { jobPatch, lastStamp } from './job-patch.js';
import type { LoadedBuild, SchedulableJob } from './load-facts.js';

/**
 * Applies the scheduler's changes: one guarded change for each group of jobs that make the same move. Every job
 * must still be in the state the decision was made on, which the build's lock guarantees.
 */
export async function applyJobChanges(
  context: Context,
  loaded: LoadedBuild,
  changes: readonly JobChange[],
): Promise<void> {
  await queueJobChanges(context, loaded, changes);
  await context.flush();
}

/** The same, written together with what the transaction changes next. */
export async function queueJobChanges(
  context: Context,
  { build, jobs }: LoadedBuild,
  changes: readonly JobChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const expiryMs = await expiryOf(context, build);
  for (const group of grouped(changes, byId)) {
    const patch = changePatch(context, group, expiryMs);
    await context.change('jobs', group.ids, { set: patch, where: { state: group.from }, all: true });
  }
  for (const change of changes) follow(context, build.organizationId, build.id, change, byId.get(change.id));
}

/** Time by which a job of the build's organization expires without an agent, from its creation. */
async function expiryOf(context: Context, { organizationId }: LoadedBuild['build']): Promise<number> {
  const organization = await context.load.organization.load(organizationId);
  return (organization?.scheduledJobExpiryInMinutes ?? jobExpiryMinutes) * 60_000;
}

interface ChangeGroup {
  from: SchedulableJob['state'];
  change: JobChange;
  type: SchedulableJob['type'];
  createdAt: Date;
  since: Date;
  ids: string[];
}

function grouped(changes: readonly JobChange[], byId: ReadonlyMap<string, SchedulableJob>): ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>();
  for (const change of changes) {
    const job = byId.get(change.id);
    if (!job) throw new Error(`the scheduler changed the unknown job ${change.id}`);
    const key = [
      job.state,
      change.to,
      change.softFailed,
      job.type,
      job.createdAt.getTime(),
      lastStamp(job).getTime(),
    ].join(' ');
    const group = groups.get(key);
    if (group) group.ids.push(job.id);
    else
      groups.set(key, {
        from: job.state,
        change,
        type: job.type,
        createdAt: job.createdAt,
        since: lastStamp(job),
        ids: [job.id],
      });
  }
  return [...groups.values()];
}

function changePatch(
  context: Context,
  { change, from, type, createdAt, since }: ChangeGroup,
  expiryMs: number,
): Patch<'jobs'> {
  const patch = jobPatch(change.to, { now: context.now, since, expiresAt: new Date(createdAt.getTime() + expiryMs) });
  if (change.to === 'finished') patch.passed = change.event === 'pass';
  if (change.softFailed !== undefined) patch.softFailed = change.softFailed;
  if (change.to === 'canceled' || change.to === 'canceling') patch.canceledById = context.userId;
  if (takesPlaceNow(from, change.to)) patch.concurrencyQueuedAt = context.now;
  if (type === 'trigger' && change.to === 'scheduled') patch.deadlineAt = null;
  return patch;
}

/**
 * Applies the scheduler's changes to rows about to be inserted: sets the decided states and their columns, records each
 * change, and queues the consequences.
 */
export async function recordInsertedJobs(
  context: Context,
  { build }: Pick<LoadedBuild, 'build'>,
  rows: (SchedulableJob & Patch<'jobs'>)[],
  changes: ReadonlyMap<string, JobChange>,
): Promise<void> {
  const expiryMs = await expiryOf(context, build);
  for (const row of rows) {
    const change = changes.get(row.id);
    if (!change) continue;
    const { id, state, type, pipelineId, agentId, concurrencyGroup, clusterQueueId } = row;
    const patch = changePatch(
      context,
      { change, from: state, type, createdAt: row.createdAt, since: row.createdAt, ids: [] },
      expiryMs,
    );
    Object.assign(row, patch);
    const job = { id, state, type, pipelineId, agentId, concurrencyGroup, clusterQueueId };
    follow(context, build.organizationId, build.id, change, job);
  }
}

/** Records a change and queues its consequences outside this build. */
function follow(
  context: Context,
  organizationId: string,
  buildId: string,
  change: JobChange,
  job:
    | Pick<SchedulableJob, 'id' | 'state' | 'type' | 'pipelineId' | 'agentId' | 'concurrencyGroup' | 'clusterQueueId'>
    | undefined,
): void {
  if (!job) return;
  recordJobChange(context, { ...job, organizationId, buildId }, change.event, change.to, change.reason);
  if (job.type === 'trigger' && change.to === 'scheduled') {
    context.send({ topic: 'trigger.start', organizationId, payload: { jobId: job.id } });
  }
  releaseConcurrencyOf(context, organizationId, job.concurrencyGroup);
}

/** Writes the event of one job's state change. */
export function recordJobChange(
  context: Context,
  job: Pick<SchedulableJob, 'id' | 'state' | 'pipelineId' | 'agentId'> &
    Partial<Pick<SchedulableJob, 'clusterQueueId'>> & { organizationId: string; buildId: string },
  event: string,
  to: string,
  reason: string | null,
  by?: EventFact['by'],
): void {
  context.record({
    organizationId: job.organizationId,
    subject: 'job',
    subjectId: job.id,
    pipelineId: job.pipelineId,
    buildId: job.buildId,
    jobId: job.id,
    agentId: job.agentId,
    type: `job.${event}`,
    from: job.state,
    to,
    reason,
    ...(job.clusterQueueId === undefined ? {} : { queueId: job.clusterQueueId }),
    ...(by ? { by } : {}),
  });
}

/** Queues a release of a concurrency group, once a transaction, because one of its members changed. */
export function releaseConcurrencyOf(context: Context, organizationId: string, group: string | null): void {
  if (group === null) return;
  const alreadyQueued = context.recorder.outbox.some(
    (message) =>
      message.topic === 'concurrency.release' &&
      message.payload['group'] === group &&
      message.organizationId === organizationId,
  );
  if (!alreadyQueued) context.send({ topic: 'concurrency.release', organizationId, payload: { group } });
}
