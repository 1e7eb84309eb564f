import { isTerminal, type JobEvent, type JobState, type JobType } from './job-state.js';

const endStates = ['canceled', 'expired', 'timed_out', 'skipped', 'broken'] as const;
/** How a job ended, as metrics count it: a finished one by its exit status, any other by its state. */
export const jobOutcomes = ['passed', 'soft_failed', 'failed', ...endStates] as const;
export type JobOutcome = (typeof jobOutcomes)[number];
type JobEndState = 'finished' | (typeof endStates)[number];

/** What the move of a job says to metrics. */
export interface JobFigures {
  /** How it ended; absent for a move that does not end it. */
  outcome?: JobOutcome;
  /** Seconds for which it waited for an agent; absent for a move by which no agent takes it. */
  waitSeconds?: number;
  /** Seconds for which it ran; absent for a job that did not run on an agent. */
  runSeconds?: number;
}

/** The columns of a job, as it is after a move, that its figures are made of. */
export interface MovedColumns {
  type: JobType;
  passed?: boolean | null;
  softFailed?: boolean | null;
  runnableAt?: Date | null;
  assignedAt?: Date | null;
  startedAt?: Date | null;
  finishedAt?: Date | null;
}

/**
 * The figures of the move of a command or trigger job; null for one without. A job waits from the moment at which it
 * may be offered until it is assigned to the agent that takes it; an offer that is given back begins its wait anew.
 */
export function jobFigures(event: JobEvent, to: JobState, job: MovedColumns): JobFigures | null {
  if (job.type !== 'command' && job.type !== 'trigger') return null;
  if (event === 'accept' || event === 'acquire') return { waitSeconds: secondsBetween(job.runnableAt, job.assignedAt) };
  if (!isTerminal(to)) return null;
  return {
    outcome: outcomeOf(to as JobEndState, job),
    ...(job.type === 'command' && job.startedAt ? { runSeconds: secondsBetween(job.startedAt, job.finishedAt) } : {}),
  };
}

function outcomeOf(to: JobEndState, { passed, softFailed }: MovedColumns): JobOutcome {
  if (to !== 'finished') return to;
  if (passed) return 'passed';
  return softFailed ? 'soft_failed' : 'failed';
}

function secondsBetween(from: Date | null | undefined, to: Date | null | undefined): number {
  return from && to ? Math.max(0, to.getTime() - from.getTime()) / 1000 : 0;
}
