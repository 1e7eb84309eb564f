import type { Context } from '../../context.js';
import { buildEventBetween, isBuildFinished } from '../../domain/builds/build-state.js';
import type { BuildRollup } from '../../domain/builds/rollup.js';
import { schedule } from '../../domain/builds/schedule.js';
import type { BuildRow } from '../../entities/database.js';
import { queueJobChanges } from './apply-changes.js';
import { notBefore } from './job-patch.js';
import { loadBuild, type LoadedBuild, scheduleFacts } from './load-facts.js';

export interface AdvanceOptions {
  /** A newer build made this one unnecessary before it ran. */
  skip?: boolean;
  /** Reason for the event rows. */
  reason?: string;
}

/**
 * Advances a build: decides with `domain/builds/schedule.ts`, applies and records every change, and queues the
 * consequences outside the build. The caller has locked the build's row in this transaction. Returns the updated build.
 */
export async function advanceBuild(context: Context, build: BuildRow, options: AdvanceOptions = {}): Promise<BuildRow> {
  return advanceLoaded(context, await loadBuild(context, build), options);
}

/** The same for a build that is loaded, with the jobs as they are going to be written. Everything is written then. */
export async function advanceLoaded(
  context: Context,
  loaded: LoadedBuild,
  options: AdvanceOptions = {},
): Promise<BuildRow> {
  const decision = schedule(scheduleFacts(loaded, options.skip ?? false));
  await queueJobChanges(context, loaded, decision.jobs);
  return applyRollup(context, loaded.build, decision.build, options.reason ?? null);
}

/** Stores the rolled-up state with its timestamps and event; the end of a build is sent to the trigger job above it. */
export async function applyRollup(
  context: Context,
  build: BuildRow,
  rollup: BuildRollup,
  reason: string | null,
): Promise<BuildRow> {
  const patch = buildPatch(context.now, build, rollup);
  if (patch) await context.change('builds', [build.id], { set: patch, where: { state: build.state }, all: true });
  const updated = patch ? noteRollup(context, build, { ...build, ...patch }, reason) : build;
  await context.settle();
  return updated;
}

/** Records the change of a build's state and its consequences outside the build; returns the build after it. */
export function noteRollup(context: Context, build: BuildRow, updated: BuildRow, reason: string | null): BuildRow {
  if (updated.state !== build.state) recordBuildChange(context, build, updated, reason);
  if (
    build.triggeredFromJobId !== null &&
    (isBuildFinished(updated.state) || updated.state === 'blocked') &&
    updated.state !== build.state
  ) {
    context.send({ topic: 'trigger.settle', organizationId: build.organizationId, payload: { buildId: build.id } });
  }
  return updated;
}

/** The columns that the rolled-up state changes; null for none. */
export function buildPatch(now: Date, build: BuildRow, rollup: BuildRollup): Partial<BuildRow> | null {
  const patch: Partial<BuildRow> = {};
  if (rollup.state !== build.state) patch.state = rollup.state;
  if (rollup.blockedState !== build.blockedState) patch.blockedState = rollup.blockedState;
  if (rollup.failing !== build.failing) patch.failing = rollup.failing;
  if (rollup.failing && build.failingAt === null) patch.failingAt = now;
  if (build.startedAt === null && (rollup.state === 'running' || rollup.state === 'failing'))
    patch.startedAt = notBefore(now, build.createdAt);
  const finished = isBuildFinished(rollup.state);
  if (finished && (build.finishedAt === null || rollup.state !== build.state))
    patch.finishedAt = notBefore(now, build.createdAt, patch.startedAt ?? build.startedAt);
  if (!finished && build.finishedAt !== null) patch.finishedAt = null;
  if (rollup.state === 'canceled' && build.canceledAt === null) patch.canceledAt = now;
  return Object.keys(patch).length > 0 ? patch : null;
}

function recordBuildChange(context: Context, before: BuildRow, after: BuildRow, reason: string | null): void {
  context.record({
    organizationId: after.organizationId,
    subject: 'build',
    subjectId: after.id,
    pipelineId: after.pipelineId,
    buildId: after.id,
    type: `build.${buildEventBetween(before.state, after.state) ?? 'change'}`,
    from: before.state,
    to: after.state,
    reason,
  });
}
