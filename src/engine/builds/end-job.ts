import type { Context } from '../../request/context.js';
import { isBuildStopped } from '../../domain/builds/build-state.js';
import { type JobEvent, transition } from '../../domain/builds/job-state.js';
import { automaticRetry, softFails } from '../../domain/builds/retry.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { advanceLoaded } from './advance-build.js';
import { changeAgent } from '../state/agents.js';
import { moveJob, noteJob } from '../state/jobs.js';
import { type LoadedBuild, loadBuild, withJob } from './load-facts.js';
import { insertRetry } from './insert-retry.js';
import { retryRoomProblem } from './stored-sums.js';

/** End of a job, reported by its agent or decided by the server for one that can no longer report. */
export interface JobEnd {
  event: Extract<
    JobEvent,
    'pass' | 'fail' | 'lose_agent' | 'stack_finish' | 'stack_error' | 'force_stop' | 'expire' | 'cancel' | 'skip'
  >;
  exitStatus: number | null;
  signal?: string | null;
  signalReason?: string | null;
  chunksFailedCount?: number;
  reason: string;
  /** Its agent takes no other job. */
  endsDispatches?: boolean;
  /** A longer reason, such as the text that a stack sent; the event that ends the job shows it in place of `reason`. */
  detail?: string;
}

export interface EndedJob {
  /** False if the job had already ended or the event is not legal in its state: nothing was changed. */
  ended: boolean;
  build: BuildRow;
}

/**
 * Ends a job: state, outcome, soft failure, automatic retry, and the consequences for its build and its concurrency
 * group. The caller has locked the build's row and read the job under that lock.
 */
export async function endJob(context: Context, build: BuildRow, job: JobRow, end: JobEnd): Promise<EndedJob> {
  const move = transition(job.type, job.state, end.event);
  if (move.kind !== 'moved') return { ended: false, build };
  const loaded = await loadBuild(context, build);
  const step = loaded.steps.find(({ id }) => id === job.stepId);
  const definition = step?.definition ?? null;
  const passed = move.to === 'finished' && end.exitStatus === 0;
  const softFail = job.softFail ?? (definition && 'softFail' in definition ? definition.softFail : false);
  // A promised hard failure is not undone by a better exit status.
  const promisedHard = job.promisedExitStatus !== null && !softFails(softFail, job.promisedExitStatus);
  const outcome =
    promisedHard && passed ? { passed: false, exitStatus: end.exitStatus } : { passed, exitStatus: end.exitStatus };
  const softFailed = !outcome.passed && !promisedHard && softFails(softFail, end.exitStatus);
  const moved = await moveJob(context, job, end.event, {
    reason: end.detail ?? end.reason,
    set: {
      ...outcome,
      softFailed,
      signal: end.signal ?? null,
      signalReason: end.signalReason ?? null,
      chunksFailedCount: end.chunksFailedCount ?? job.chunksFailedCount,
    },
  });
  if (moved.kind !== 'moved') return { ended: false, build };
  if (job.agentId !== null)
    await changeAgent(
      context,
      { id: job.agentId },
      { lastJobFinishedAt: context.now, ...(end.endsDispatches ? { ignoreInDispatches: true } : {}) },
    );
  const ended: JobRow = moved.job;
  const retried =
    !outcome.passed &&
    (await retryAutomatically(context, loaded, ended, definition?.type === 'command' ? definition.retryAutomatic : []));
  if (job.type === 'command' && job.startedAt !== null)
    context.send({ topic: 'log.compact', organizationId: job.organizationId, payload: { jobId: job.id } });
  const after = retried ? await loadBuild(context, build) : withJob(loaded, ended);
  return { ended: true, build: await advanceLoaded(context, after, { reason: end.reason }) };
}

/**
 * Whether the job is retried: its build has another job then. A rule that cannot be followed leaves an event with the
 * reason.
 */
async function retryAutomatically(
  context: Context,
  { build }: Pick<LoadedBuild, 'build'>,
  job: JobRow,
  rules: Parameters<typeof automaticRetry>[0],
): Promise<boolean> {
  if (job.state === 'canceled' || job.retried) return false;
  const used = job.retryRuleUses;
  const decision = automaticRetry(
    rules,
    { exitStatus: job.exitStatus, signal: job.signal, signalReason: job.signalReason },
    used,
  );
  if (!decision.retry) return false;
  const obstacle = await retryObstacle(context, build, job);
  if (obstacle !== null) {
    noteJob(context, job, 'retry_failed', obstacle);
    return false;
  }
  const uses = rules.map((_rule, index) => (used[index] ?? 0) + (index === decision.ruleIndex ? 1 : 0));
  await insertRetry(context, job, { type: 'automatic', ruleUses: uses });
  return true;
}

/** Why a build takes no retry of a job, whatever its rules say; null for one that does. */
async function retryObstacle(context: Context, build: BuildRow, job: JobRow): Promise<string | null> {
  if (build.cancelRequestedAt !== null || isBuildStopped(build.state)) return 'The build was canceled';
  await context.flush();
  return retryRoomProblem(context, build.id, [job]);
}
