import type { Context } from '../../request/context.js';
import { isBuildFinished } from '../../domain/builds/build-state.js';
import type { BuildRow } from '../../entities/database.js';
import { endJob, type JobEnd } from '../builds/end-job.js';
import { lockJob } from '../builds/lock-job.js';

/**
 * Ends the synchronous trigger job above a build by the build's result. A blocked build whose `blocked_state` is
 * `passed` counts as passed; with `running` or `failed` the job runs on until the build is unblocked.
 */
export async function finishTriggerJob(context: Context, childBuildId: string): Promise<void> {
  const child = await context.uncheckedRows.build.load(childBuildId);
  if (!child?.triggeredFromJobId) return;
  const locked = await lockJob(context, { id: child.triggeredFromJobId });
  const end = outcome(child);
  if (!locked || !end || locked.job.state !== 'running' || locked.job.triggeredBuildId !== child.id) return;
  await endJob(context, locked.build, locked.job, end);
}

function outcome(child: BuildRow): JobEnd | null {
  const reason = `triggered build ${child.state}`;
  if (child.state === 'blocked')
    return child.blockedState === 'passed' ? { event: 'pass', exitStatus: 0, reason } : null;
  if (!isBuildFinished(child.state)) return null;
  if (child.state === 'skipped') return { event: 'skip', exitStatus: null, reason };
  return child.state === 'passed' || child.state === 'not_run'
    ? { event: 'pass', exitStatus: 0, reason }
    : { event: 'fail', exitStatus: 1, reason };
}
