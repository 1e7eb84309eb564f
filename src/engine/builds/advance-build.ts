import type { Context } from '../../request/context.js';
import type { BuildRollup } from '../../domain/builds/rollup.js';
import { schedule } from '../../domain/builds/schedule.js';
import type { BuildRow } from '../../entities/database.js';
import { moveBuild } from '../state/builds.js';
import { queueJobChanges } from './apply-changes.js';
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

/** Stores the state that the jobs of a build roll up to; what the transaction changed is written then. */
export async function applyRollup(
  context: Context,
  build: BuildRow,
  rollup: BuildRollup,
  reason: string | null,
): Promise<BuildRow> {
  const updated = await moveBuild(context, build, rollup, reason);
  await context.settle();
  return updated;
}
