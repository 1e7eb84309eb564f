import { targetQueue } from '../../agents/dispatch.js';
import { limits } from '../../limits/limits.js';
import { isUndecided, type JobState, type JobType } from '../job-state.js';
import type { ScheduledStep } from '../schedule-facts.js';
import { explainGroup, type GroupJob, type GroupMember } from './group-explanation.js';
import type { BuildHolds, HeldBy } from './held-by.js';
import { explainQueue, type QueueFacts, queueReasons } from './queue-explanation.js';

/** Why a job waits, will not run, or was stopped. */
export const jobExplanationReasons = [
  'dependency',
  'dependency_failed',
  'dependency_missing',
  'dependency_cycle',
  'block',
  'unblock',
  'concurrency_group',
  'no_queue',
  ...queueReasons,
  'stack_starting',
  'agent_starting',
  'agent_stopping',
  'triggered_build',
  'trigger_failed',
  'skip',
  'branches',
  'condition',
  'parallelism_zero',
  'build_canceled',
  'build_failing',
  'build_skipped',
  'canceled',
  'expired',
  'timed_out',
  'agent_lost',
  'stack_error',
] as const;
export type JobExplanationReason = (typeof jobExplanationReasons)[number];

export interface JobExplanation {
  reason: JobExplanationReason;
  /** One or two sentences for people; names no job, build or pipeline of elsewhere. */
  message: string;
  /**
   * Jobs that the job waits for or was stopped by, in any pipeline; a surface shows only jobs that its caller may see.
   */
  jobIds: string[];
}

/** The columns of a job that its explanation reads. */
export interface JobToExplain extends GroupJob {
  type: JobType;
  state: JobState;
  stepId: string;
  brokenReason: string | null;
  agentQueryRules: readonly string[];
  timeoutInMinutes: number | null;
  triggeredBuildId: string | null;
}

/** Facts that are stored elsewhere; each is loaded only for jobs in the states that it explains. */
export interface JobFacts {
  /** Of a job that the scheduler has not released. */
  holds?: BuildHolds | undefined;
  /** Label of a step for people. */
  stepName: (step: ScheduledStep) => string;
  /** Of a job that waits for its concurrency group. */
  group?: readonly GroupMember[] | undefined;
  /** Of a job that waits for its concurrency group: the builds that wait for the end of its build. */
  waitingBuilds?: ReadonlySet<string> | undefined;
  /** Of a job that waits for an agent; undefined for a job without a queue. */
  queue?: QueueFacts | undefined;
  /** What its stack said last of a job that it has reserved. */
  notice?: string | undefined;
  /** The event that stopped the job: its type, such as `job.cancel`, and its reason. */
  stop?: { type: string; reason: string | null } | undefined;
}

/** Explains a job; null if the job is running, or if an agent ran it to its end. */
export function explainJob(job: JobToExplain, facts: JobFacts): JobExplanation | null {
  const explained = explain(job, facts);
  return explained && { ...explained, jobIds: explained.jobIds.slice(0, limits.explainedJobs) };
}

function explain(job: JobToExplain, facts: JobFacts): JobExplanation | null {
  if (isUndecided(job.state)) return explainHeld(job, facts);
  switch (job.state) {
    case 'limiting':
    case 'limited':
      return { reason: 'concurrency_group', ...explainGroup(job, facts.group ?? [], facts.waitingBuilds) };
    case 'reserved':
      return stackStarting(facts);
    case 'scheduled':
      if (job.type === 'trigger')
        return plain('triggered_build', 'The build of the other pipeline is created in a moment.');
      return facts.queue
        ? { ...explainQueue(job.agentQueryRules, facts.queue), jobIds: [] }
        : plain('no_queue', `The cluster of the pipeline has no queue "${targetQueue(job.agentQueryRules)}".`);
    case 'assigned':
    case 'accepted':
      return plain('agent_starting', 'An agent was offered the job and is about to start it.');
    case 'canceling':
    case 'timing_out':
      return stopping(job, facts);
    case 'running':
      if (job.type !== 'trigger') return null;
      return plain('triggered_build', 'The build that the step started in the other pipeline has not finished.');
    case 'broken':
      return explainBroken(job.brokenReason);
    case 'skipped':
    case 'canceled':
    case 'expired':
    case 'timed_out':
      return explainStop(job, facts);
    case 'finished':
      return explainEnd(job, facts);
    default:
      return null;
  }
}

const stackStarting = ({ notice }: JobFacts): JobExplanation =>
  plain(
    'stack_starting',
    `A stack has reserved the job and starts an agent for it.${notice === undefined ? '' : ` It says: ${notice}`}`,
  );

/** A job that ended without a report of an agent. */
function explainEnd(job: JobToExplain, { stop }: JobFacts): JobExplanation | null {
  if (job.type === 'trigger' && stop?.type === 'job.fail')
    return plain(
      'trigger_failed',
      job.triggeredBuildId === null
        ? `The build in the other pipeline could not be created: ${stop.reason ?? 'no reason is known'}.`
        : 'The build that the step started in the other pipeline did not pass.',
    );
  if (stop?.type === 'job.lose_agent')
    return plain('agent_lost', 'Its agent gave no sign of life any more while the job ran.');
  return stop?.type === 'job.stack_error'
    ? plain('stack_error', `Its stack could not run it: ${stop.reason ?? 'it did not say why.'}`)
    : null;
}

const plain = (reason: JobExplanationReason, message: string): JobExplanation => ({ reason, message, jobIds: [] });

function explainHeld({ type, state, stepId }: JobToExplain, { holds, stepName }: JobFacts): JobExplanation | null {
  if (!holds) return null;
  const manual = type === 'block' || type === 'input';
  if (manual && state === 'blocked') return plain('unblock', 'A person has to unblock the step.');
  const obstacles = holds.of(stepId);
  const because = (reason: JobExplanationReason, steps: readonly ScheduledStep[], words: string): JobExplanation => ({
    reason,
    message: `${words} ${listed(steps.map(stepName))}.`,
    jobIds: steps.flatMap(({ id }) => holds.jobsOf(id).map((job) => job.id)),
  });
  if (obstacles.cycle)
    return plain('dependency_cycle', 'The step depends on itself, through the steps that it depends on.');
  const failed = state === 'waiting_failed' || state === 'blocked_failed';
  if (failed && obstacles.failed.length > 0)
    return because('dependency_failed', obstacles.failed, 'Does not run because of the end of');
  if (obstacles.unfinished.length > 0) return because('dependency', obstacles.unfinished, 'Waits for the end of');
  if (obstacles.blocks.length > 0) return because('block', obstacles.blocks, 'Waits until somebody unblocks');
  if (obstacles.missing.length > 0) return missing(obstacles);
  return plain('dependency', 'Waits for steps before it.');
}

const missing = ({ missing: keys }: HeldBy): JobExplanation =>
  plain('dependency_missing', `No step of the build has the key ${listed(keys)}, which "depends_on" names.`);

/** Names in quotes; from the fourth on only their number. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `"${name}"`);
  return [...shown, ...(names.length > shown.length ? [`${names.length - shown.length} more`] : [])].join(', ');
}

function explainBroken(reason: string | null): JobExplanation {
  switch (reason) {
    case 'branch_mismatch':
      return plain('branches', 'The "branches" of the step do not include the branch of the build.');
    case 'conditional_failed':
      return plain('condition', 'The "if" of the step does not hold for the build.');
    case 'parallelism_zero':
      return plain('parallelism_zero', 'The step has a parallelism of 0.');
    case null:
    case 'skipped':
      return plain('skip', 'The step is skipped.');
    default:
      return plain('skip', `The step is skipped: ${reason}`);
  }
}

/** Reasons of the scheduler for stopping a job, and their sentences. */
const schedulerStops: Readonly<Record<string, JobExplanation>> = {
  build_canceled: plain('build_canceled', 'Its build was canceled.'),
  build_failing: plain('build_failing', 'Its build was failing, and the step asks to be canceled then.'),
  build_skipped: plain('build_skipped', 'Its build was skipped for a newer one.'),
  step_canceled: plain('canceled', 'A job of the build canceled the step.'),
};

function explainStop(job: JobToExplain, { stop }: JobFacts): JobExplanation {
  if (job.state === 'expired') return plain('expired', 'No agent took the job before it expired.');
  if (job.state === 'timed_out' || job.state === 'timing_out') {
    const limit = job.timeoutInMinutes;
    return plain('timed_out', `The job ran longer than ${limit === null ? 'it may' : `its ${minutes(limit)}`}.`);
  }
  const known = schedulerStops[stop?.reason ?? ''];
  if (known) return known;
  return plain('canceled', stop?.reason ? sentence(stop.reason) : 'The job was canceled.');
}

/** A job whose agent has not yet confirmed that it stopped. */
function stopping(job: JobToExplain, facts: JobFacts): JobExplanation {
  return plain('agent_stopping', `${explainStop(job, facts).message} Its agent is stopping it.`);
}

const minutes = (count: number): string => `${count} ${count === 1 ? 'minute' : 'minutes'}`;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
