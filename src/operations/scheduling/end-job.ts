import type { Context } from '../../context.js';
import { isBuildStopped } from '../../domain/build-state.js';
import { type JobEvent, transition } from '../../domain/job-state.js';
import { automaticRetry, softFails } from '../../domain/retry.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { advanceBuild } from './advance-build.js';
import { recordJobChange, releaseConcurrencyOf } from './apply-changes.js';
import { jobPatch, lastStamp } from './job-patch.js';
import { commandDefinition, stepDefinition } from './load-facts.js';
import { insertRetry } from './insert-retry.js';

/** How a job ended: by its agent's word, or by the server's for one that can no longer say. */
export interface JobEnd {
  event: Extract<JobEvent, 'pass' | 'fail' | 'lose_agent' | 'force_stop' | 'expire' | 'cancel' | 'skip'>;
  exitStatus: number | null;
  signal?: string | null;
  signalReason?: string | null;
  chunksFailedCount?: number;
  reason: string;
}

export interface EndedJob {
  /** False when the job had ended already, or the event is not legal in its state: nothing was changed. */
  ended: boolean;
  build: BuildRow;
}

/**
 * Ends one job: state, outcome, soft failure, automatic retry, and everything that follows for its build and its
 * concurrency group. The caller has locked the build's row and read the job under that lock.
 */
export async function endJob(context: Context, build: BuildRow, job: JobRow, end: JobEnd): Promise<EndedJob> {
  const move = transition(job.type, job.state, end.event);
  if (move.kind !== 'moved') return { ended: false, build };
  const step = await context.load.step.load(job.stepId);
  const definition = step ? stepDefinition(step) : null;
  const passed = move.to === 'finished' && end.exitStatus === 0;
  const softFail = job.softFail ?? (definition && 'softFail' in definition ? definition.softFail : false);
  // A promised hard failure is not undone by a better exit status (rest-facts 4.3).
  const kept = job.promisedExitStatus !== null && passed ? { passed: false, exitStatus: end.exitStatus } : { passed, exitStatus: end.exitStatus };
  const softFailed = !kept.passed && job.promisedExitStatus === null && softFails(softFail, end.exitStatus);
  await context.db
    .updateTable('jobs')
    .set({
      ...jobPatch(move.to, { now: context.now, expiresAt: context.now, since: lastStamp(job) }),
      ...kept,
      softFailed,
      signal: end.signal ?? null,
      signalReason: end.signalReason ?? null,
      chunksFailedCount: end.chunksFailedCount ?? job.chunksFailedCount,
    })
    .where('id', '=', job.id)
    .where('state', '=', job.state)
    .execute();
  recordJobChange(context, job, end.event, move.to, end.reason);
  if (job.agentId !== null) await noteAgentFree(context, job.agentId, kept.passed);
  const ended: JobRow = { ...job, state: move.to, ...kept, softFailed, signal: end.signal ?? null, signalReason: end.signalReason ?? null };
  if (!kept.passed) await retryAutomatically(context, build, ended, step ? commandDefinition(step)?.retryAutomatic ?? [] : []);
  if (job.type === 'command' && job.startedAt !== null) context.send({ topic: 'log.compact', organizationId: job.organizationId, payload: { jobId: job.id } });
  releaseConcurrencyOf(context, job.organizationId, job.concurrencyGroup);
  return { ended: true, build: await advanceBuild(context, build, { reason: end.reason }) };
}

async function noteAgentFree(context: Context, agentId: string, passed: boolean): Promise<void> {
  await context.db
    .updateTable('agents')
    .set({ lastJobFinishedAt: context.now, ...(passed ? { lastJobPassedAt: context.now } : {}) })
    .where('id', '=', agentId)
    .execute();
}

async function retryAutomatically(context: Context, build: BuildRow, job: JobRow, rules: Parameters<typeof automaticRetry>[0]): Promise<void> {
  if (job.state === 'canceled' || job.retried || build.cancelRequestedAt !== null || isBuildStopped(build.state)) return;
  const used = job.retryRuleUses;
  const decision = automaticRetry(rules, { exitStatus: job.exitStatus, signal: job.signal, signalReason: job.signalReason }, used);
  if (!decision.retry) return;
  const uses = rules.map((_rule, index) => (used[index] ?? 0) + (index === decision.ruleIndex ? 1 : 0));
  await insertRetry(context, job, { type: 'automatic', ruleUses: uses });
}
