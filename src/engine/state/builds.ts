import { sql } from 'kysely';
import { isChosen, place } from '../../database/chosen-rows.js';
import type { Context } from '../../request/context.js';
import { buildEventBetween, isBuildFinished, unfinishedBuildStates } from '../../domain/builds/build-state.js';
import { notBefore } from '../../domain/builds/job-columns.js';
import type { BuildRollup } from '../../domain/builds/rollup.js';
import type { BuildRow, Db } from '../../entities/database.js';

/** Columns that are changed without a roll-up of the build's jobs; the recorder counts the events. */
export type BuildColumns = Partial<Omit<BuildRow, 'id' | 'state' | 'blockedState' | 'failing' | 'eventSequence'>>;

/**
 * Moves a locked build to the state that its jobs roll up to: with its timestamps, the event that the transition table
 * has for the change, and for a build that ended the message to the trigger job above it. The row is written with what
 * the transaction records next. Returns the updated build.
 */
export async function moveBuild(
  context: Context,
  build: BuildRow,
  rollup: BuildRollup,
  reason: string | null,
): Promise<BuildRow> {
  const set = columnsOf(context.now, build, rollup);
  if (!set) return build;
  await context.change('builds', [build.id], { set, where: { state: build.state }, all: true });
  return recordMove(context, build, { ...build, ...set }, reason);
}

/** The same for a build that is about to be inserted: returns the row to insert. */
export function moveNewBuild(context: Context, build: BuildRow, rollup: BuildRollup, reason: string): BuildRow {
  return recordMove(context, build, { ...build, ...columnsOf(context.now, build, rollup) }, reason);
}

/** Changes columns of a locked build that are no state, with what the transaction records next; returns the build. */
export async function changeBuild<Build extends Pick<BuildRow, 'id'>>(
  context: Context,
  build: Build,
  set: BuildColumns,
): Promise<Build> {
  await context.change('builds', [build.id], { set, all: true });
  return { ...build, ...set };
}

/** Sets the counter of a locked build's events to the highest number that was given, now: the next one is new. */
export async function recountEvents(db: Db, buildId: string): Promise<void> {
  await sql`update builds set event_sequence = (select max(sequence) from events where build_id = ${buildId})
    where id = ${buildId}`.execute(db);
}

/** The columns that the rolled-up state changes; null for none. */
function columnsOf(now: Date, build: BuildRow, rollup: BuildRollup): Partial<BuildRow> | null {
  const set: Partial<BuildRow> = {};
  if (rollup.state !== build.state) set.state = rollup.state;
  if (rollup.blockedState !== build.blockedState) set.blockedState = rollup.blockedState;
  if (rollup.failing !== build.failing) set.failing = rollup.failing;
  if (rollup.failing && build.failingAt === null) set.failingAt = now;
  if (build.startedAt === null && (rollup.state === 'running' || rollup.state === 'failing'))
    set.startedAt = notBefore(now, build.createdAt);
  const finished = isBuildFinished(rollup.state);
  if (finished && (build.finishedAt === null || rollup.state !== build.state))
    set.finishedAt = notBefore(now, build.createdAt, set.startedAt ?? build.startedAt);
  if (!finished && build.finishedAt !== null) set.finishedAt = null;
  if (rollup.state === 'canceled' && build.canceledAt === null) set.canceledAt = now;
  return Object.keys(set).length > 0 ? set : null;
}

function recordMove(context: Context, before: BuildRow, after: BuildRow, reason: string | null): BuildRow {
  if (after.state === before.state) return after;
  const { organizationId, id } = after;
  context.record({
    organizationId,
    subject: 'build',
    subjectId: id,
    pipelineId: after.pipelineId,
    buildId: id,
    type: `build.${buildEventBetween(before.state, after.state) ?? 'change'}`,
    from: before.state,
    to: after.state,
    reason,
  });
  if (after.triggeredFromJobId !== null && (isBuildFinished(after.state) || after.state === 'blocked'))
    context.send({ topic: 'trigger.settle', organizationId, payload: { buildId: id } });
  if (after.culpritSearchId !== null && isBuildFinished(after.state))
    context.send({ topic: 'culprit.advance', organizationId, payload: { searchId: after.culpritSearchId } });
  return after;
}

/**
 * Cancels at most `most` unfinished builds of deleted pipelines, now and without events, since nobody sees them any
 * more. Returns their number.
 */
export async function cancelBuildsUnseen(
  { db, now }: Context,
  pipelineIds: readonly string[],
  most: number,
): Promise<number> {
  const unfinished = db
    .selectFrom('builds')
    .select(place('builds').as('place'))
    .where(sql<boolean>`pipeline_id = any(${[...pipelineIds]}::uuid[])`)
    .where('state', 'in', unfinishedBuildStates)
    .orderBy('id')
    .limit(most)
    .forUpdate();
  const { numUpdatedRows } = await db
    .updateTable('builds')
    .set({ state: 'canceled', canceledAt: now, finishedAt: sql<Date>`greatest(${now}::timestamptz, started_at)` })
    .where(isChosen(unfinished))
    .where('state', 'in', unfinishedBuildStates)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Notes on locked builds, now and without events, that retention takes the bytes of their logs or artifacts. */
export async function noteExpiry(
  db: Db,
  ids: readonly string[],
  set: Pick<BuildColumns, 'logsExpiredAt' | 'artifactsExpiredAt'>,
): Promise<void> {
  await db.updateTable('builds').set(set).where('id', 'in', ids).execute();
}
