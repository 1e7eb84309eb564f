import type { Context } from '../../context.js';
import { isBuildFinished } from '../../domain/build-state.js';
import type { BuildRow } from '../../entities/database.js';
import { endJob, type JobEnd } from './end-job.js';
import { lockJobById } from './lock-job.js';

/**
 * Tells the synchronous trigger job above a build how the build ended. A blocked build that keeps `passed` counts as
 * passed; one that keeps `running` or `failed` leaves the job running until it is unblocked (rest-facts 4.1).
 */
export async function settleTrigger(context: Context, childBuildId: string): Promise<void> {
  const child = await context.load.build.load(childBuildId);
  if (!child?.triggeredFromJobId) return;
  const locked = await lockJobById(context, child.triggeredFromJobId);
  const end = outcome(child);
  if (!locked || !end || locked.job.state !== 'running' || locked.job.triggeredBuildId !== child.id) return;
  await endJob(context, locked.build, locked.job, end);
}

function outcome(child: BuildRow): JobEnd | null {
  const reason = `triggered build ${child.state}`;
  if (child.state === 'blocked') return child.blockedState === 'passed' ? { event: 'pass', exitStatus: 0, reason } : null;
  if (!isBuildFinished(child.state)) return null;
  if (child.state === 'skipped') return { event: 'skip', exitStatus: null, reason };
  return child.state === 'passed' || child.state === 'not_run' ? { event: 'pass', exitStatus: 0, reason } : { event: 'fail', exitStatus: 1, reason };
}
