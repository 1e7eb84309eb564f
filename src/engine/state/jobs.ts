import { type ExpressionBuilder, type ExpressionWrapper, sql, type SqlBool } from 'kysely';
import type { Context } from '../../request/context.js';
import { compiled } from '../../database/compiled.js';
import { concernsGroup, takesPlaceNow } from '../../domain/agents/concurrency.js';
import { type JobStamps, jobStateColumns } from '../../domain/builds/job-columns.js';
import {
  deadlineStates,
  type JobEvent,
  type JobState,
  transition,
  unfinishedJobStates,
} from '../../domain/builds/job-state.js';
import { type JobFigures, jobFigures } from '../../domain/builds/job-figures.js';
import { dueEvent, jobExpiryMinutes } from '../../domain/builds/timeouts.js';
import type { Disposition } from '../../domain/transition.js';
import type { Database, Db, JobRow, Patch } from '../../entities/database.js';
import { sqlList } from '../../entities/sql-list.js';
import type { EventFact } from '../../request/record-events.js';

/** A job as its events name it. */
export type NamedJob = Pick<JobRow, 'id' | 'organizationId' | 'pipelineId' | 'buildId' | 'state' | 'agentId'> &
  Partial<Pick<JobRow, 'clusterQueueId'>>;

/** The columns of a job that a move reads. The caller has read them under the lock of the job's build. */
export type MovableJob = NamedJob &
  Pick<JobRow, 'type' | 'concurrencyGroup' | 'createdAt'> &
  JobStamps &
  Partial<Pick<JobRow, 'timeoutInMinutes'>>;

/** Columns that are changed without an event of the state machine, or beside those of the new state. */
export type JobColumns = Omit<Patch<'jobs'>, 'id' | 'state'>;

/** What a caller says of a move beside its event. */
export interface MoveOptions {
  /** Why, for the event row. */
  reason: string | null;
  /** Columns to set beside those of the new state. */
  set?: JobColumns;
  /** Values that the row must have still, beside its state. */
  where?: Partial<Pick<JobRow, 'attempt' | 'agentId'>>;
  /** Who is named as having caused it; the caller if absent. */
  by?: EventFact['by'];
}

export interface JobMove<Job extends MovableJob = MovableJob> extends MoveOptions {
  job: Job;
  event: JobEvent;
}

/** A job as it is going to be written after a move that was made; else what the transition table said of the event. */
export type MovedJob<Job> = { kind: 'moved'; job: Job } | Exclude<Disposition<JobState>, { kind: 'moved' }>;

/**
 * Moves a job by an event if the transition table has the event in its state: with its timestamps, its deadline, its
 * event row and what follows outside its build. Changes nothing otherwise. The row is written with what the transaction
 * records next, guarded by the state: call `context.flush` before reading it from the database.
 */
export async function moveJob<Job extends MovableJob>(
  context: Context,
  job: Job,
  event: JobEvent,
  options: MoveOptions,
): Promise<MovedJob<Job>> {
  const move = transition(job.type, job.state, event);
  if (move.kind !== 'moved') return move;
  const [moved] = await carryOut(context, [{ job, event, to: move.to, ...options }]);
  return { kind: 'moved', job: moved as Job };
}

/**
 * Makes several moves of jobs of one organization as {@link moveJob} does, with one change for all jobs that change
 * alike. Throws if one of them is not legal.
 */
export async function moveJobs(context: Context, moves: readonly JobMove[]): Promise<void> {
  await carryOut(context, moves.map(decided));
}

/** Makes moves of jobs that are about to be inserted: sets columns in their rows, records events and what follows. */
export async function moveNewJobs(
  context: Context,
  moves: readonly (JobMove & { job: JobColumns & { state?: JobState } })[],
): Promise<void> {
  const decisions = moves.map(decided);
  const expiryInMinutes = await expiryOf(context, decisions);
  for (const move of decisions) {
    const before = { ...move.job };
    Object.assign(move.job, columnsOf(context, move, expiryInMinutes));
    recordMove(context, { ...move, job: before }, move.job);
  }
}

type DecidedMove = JobMove & { to: JobState };

function decided(move: JobMove): DecidedMove {
  const answer = transition(move.job.type, move.job.state, move.event);
  if (answer.kind !== 'moved')
    throw new Error(`job ${move.job.id} in state ${move.job.state} does not take the event ${move.event}`);
  return { ...move, to: answer.to };
}

async function carryOut(context: Context, moves: readonly DecidedMove[]): Promise<MovableJob[]> {
  const expiryInMinutes = await expiryOf(context, moves);
  const groups = new Map<string, { ids: string[]; set: Patch<'jobs'>; where: Partial<JobRow> }>();
  const moved = moves.map((move) => {
    const set = columnsOf(context, move, expiryInMinutes);
    const where = { state: move.job.state, ...move.where };
    const key = JSON.stringify([set, where]);
    const group = groups.get(key);
    if (group) group.ids.push(move.job.id);
    else groups.set(key, { ids: [move.job.id], set, where });
    return { ...move.job, ...set } as MovableJob;
  });
  for (const { ids, ...change } of groups.values()) await context.change('jobs', ids, { ...change, all: true });
  moves.forEach((move, index) => recordMove(context, move, moved[index] ?? move.job));
  return moved;
}

/** Minutes for which jobs of the organization wait for an agent; read only where a job is to wait for one. */
async function expiryOf(context: Context, moves: readonly DecidedMove[]): Promise<number> {
  const queued = moves.find(({ to }) => dueEvent(to) === 'expire');
  const organization = queued && (await context.load.organization.load(queued.job.organizationId));
  return organization?.scheduledJobExpiryInMinutes ?? jobExpiryMinutes;
}

function columnsOf(context: Context, { job, event, to, set }: DecidedMove, expiryInMinutes: number): Patch<'jobs'> {
  const { now } = context;
  const timed = { ...job, timeoutInMinutes: job.timeoutInMinutes ?? null, expiryInMinutes };
  return {
    ...jobStateColumns(timed, to, now),
    ...(event === 'cancel' ? { canceledById: context.userId } : {}),
    ...(takesPlaceNow(job.state, to) ? { concurrencyQueuedAt: now } : {}),
    ...set,
  };
}

/** Records the event of a move and what follows from it outside the build. `after`: the job as it is then. */
function recordMove(context: Context, { job, event, to, reason, set, by }: DecidedMove, after: MovableJob): void {
  const { organizationId, concurrencyGroup } = job;
  const figures = jobFigures(event, to, after);
  const fact = { event, to, reason, ...(by ? { by } : {}), ...(figures ? { figures } : {}) };
  recordJobEvent(context, { ...job, agentId: set?.agentId ?? job.agentId }, fact);
  if (job.type === 'trigger' && to === 'scheduled')
    context.send({ topic: 'trigger.start', organizationId, payload: { jobId: job.id } });
  if (concernsGroup(job.state, to)) releaseConcurrencyOf(context, organizationId, concurrencyGroup);
}

/** Events of a job that leave it in its state. */
export type JobNote = 'retried' | 'retry_failed' | 'promise_failure';

/** Records an event of a job that is no move. */
export function noteJob(context: Context, job: NamedJob, note: JobNote, reason: string | null): void {
  recordJobEvent(context, job, { event: note, to: job.state, reason });
}

function recordJobEvent(
  context: Context,
  job: NamedJob,
  fact: { event: JobEvent | JobNote; to: JobState; reason: string | null; by?: EventFact['by']; figures?: JobFigures },
): void {
  const { event, to, reason, by, figures } = fact;
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
    ...(figures ? { figures } : {}),
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

/**
 * Changes columns of jobs that are no state, with what the transaction records next. Throws if a row differs from
 * `where`.
 */
export async function changeJobs(
  context: Context,
  ids: readonly string[],
  set: JobColumns,
  where: Partial<JobRow> = {},
): Promise<void> {
  await context.change('jobs', ids, { set, where, all: true });
}

/** Values for columns of jobs that are no state, or expressions for them. */
type JobExpressions = {
  [Column in keyof JobColumns]: JobColumns[Column] | ReturnType<typeof sql<JobRow[Column & keyof JobRow]>>;
};

/** Changes columns that are no state, now, of all jobs that meet a condition. */
export async function changeJobsWhere(
  db: Db,
  set: JobExpressions,
  where: (eb: ExpressionBuilder<Database, 'jobs'>) => ExpressionWrapper<Database, 'jobs', SqlBool>,
): Promise<void> {
  await db.updateTable('jobs').set(set).where(where).execute();
}

/** Stores the size of a job's log unless the log was deleted, now; returns whether the job is unfinished. */
export async function storeLogSize(db: Db, jobId: string, logSize: number): Promise<boolean> {
  const job = await db
    .updateTable('jobs')
    .set({ logSize })
    .where('id', '=', jobId)
    .where('logDeletedAt', 'is', null)
    .returning('finishedAt')
    .executeTakeFirst();
  return job?.finishedAt === null;
}

/**
 * Cancels jobs of deleted pipelines, now and without events, since nobody sees them any more; calls of their agents
 * name an attempt that is over. The caller has locked their builds. Returns their concurrency groups.
 */
export async function cancelJobsUnseen({ db, now }: Context, ids: readonly string[]): Promise<(string | null)[]> {
  const canceled = await db
    .updateTable('jobs')
    .set({
      state: 'canceled',
      canceledAt: now,
      finishedAt: sql<Date>`greatest(${now}::timestamptz, started_at)`,
      deadlineAt: null,
    })
    .set((eb) => ({ attempt: eb('attempt', '+', 1) }))
    .where('id', 'in', ids)
    .where('state', 'in', unfinishedJobStates)
    .returning('concurrencyGroup')
    .execute();
  return canceled.map(({ concurrencyGroup }) => concurrencyGroup);
}

const compactedLogs = compiled<{ ids: readonly string[]; now: Date }, never>(
  'note-compacted-logs',
  (_db, { ids, now }) => sql`
    with compacted as materialized (
      select id from jobs where id = any(${ids}::uuid[]) and log_deleted_at is null order by id for no key update
    )
    update jobs j set log_compacted_at = ${now} from compacted c where j.id = c.id`,
);

/**
 * Stores that the logs of jobs were compacted, now, unless they were deleted; in the order in which jobs are locked.
 */
export async function noteCompactedLogs(db: Db, ids: readonly string[], now: Date): Promise<void> {
  await compactedLogs(db, { ids, now });
}

/**
 * Moves the deadlines of minutes, now: the wall clock has jumped by so many milliseconds. Those of jobs that wait are
 * days ahead and stay.
 */
export async function postponeDeadlines(db: Db, byMs: number): Promise<void> {
  await sql`update jobs set deadline_at = deadline_at + make_interval(secs => ${byMs / 1000}::float8)
    where deadline_at is not null and state in ${sql.raw(sqlList(deadlineStates))}`.execute(db);
}

/** Notes on the jobs of locked builds, now and without events, that retention takes their logs. */
export async function expireLogs(db: Db, buildIds: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ logDeletedAt: now, logExpiredAt: now, logSize: 0 })
    .where('buildId', 'in', buildIds)
    .where('type', '=', 'command')
    .where('logDeletedAt', 'is', null)
    .execute();
}
