import type { IconName } from './icon';

export type Tone = 'passed' | 'failed' | 'running' | 'blocked' | 'waiting';

interface Look {
  tone: Tone;
  icon: IconName;
}

const running: Look = { tone: 'running', icon: 'retry' };
const waiting: Look = { tone: 'waiting', icon: 'clock' };
const stopped: Look = { tone: 'waiting', icon: 'stop' };
const skipped: Look = { tone: 'waiting', icon: 'skip' };
const failed: Look = { tone: 'failed', icon: 'cross' };
const passed: Look = { tone: 'passed', icon: 'check' };
const blocked: Look = { tone: 'blocked', icon: 'lock' };

const looks: Record<string, Look> = {
  PASSED: passed,
  SOFT_FAILED: { tone: 'running', icon: 'cross' },
  UNBLOCKED: passed,
  FAILED: failed,
  FAILING: failed,
  TIMED_OUT: failed,
  TIMING_OUT: failed,
  EXPIRED: failed,
  BROKEN: skipped,
  WAITING_FAILED: skipped,
  BLOCKED_FAILED: skipped,
  UNBLOCKED_FAILED: skipped,
  RUNNING: running,
  ASSIGNED: running,
  ACCEPTED: running,
  CANCELING: { tone: 'running', icon: 'stop' },
  BLOCKED: blocked,
  CANCELED: stopped,
  SKIPPED: skipped,
  NOT_RUN: skipped,
};

/** How a state of a build or job is drawn; never by colour alone. Unknown states look as waiting ones. */
export const lookOf = (state: string): Look => looks[state] ?? waiting;

export const isLively = (look: Look) => look === running;

/** The state of a job; of a finished one its outcome: `PASSED`, `SOFT_FAILED` or `FAILED`. */
export function jobOutcome(job: { state?: string; passed?: boolean; softFailed?: boolean }): string {
  if (job.state !== 'FINISHED') return job.state ?? 'PENDING';
  if (job.passed) return 'PASSED';
  return job.softFailed ? 'SOFT_FAILED' : 'FAILED';
}
