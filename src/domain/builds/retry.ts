import type { BuildState } from './build-state.js';
import { isBuildStopped } from './build-state.js';
import { isRetryableState, type JobState, type JobType } from './job-state.js';
import type { ManualRetry, RetryRule, SoftFail } from '../pipelines/steps/step.js';

/** End of a command job, as its agent (or the server for a lost agent) reported it. */
export interface JobOutcome {
  /** Null where the job never ran to an end. */
  exitStatus: number | null;
  /** `SIGTERM`; null where no signal ended it. */
  signal: string | null;
  signalReason: string | null;
}

export type AutomaticRetryDecision = { retry: true; ruleIndex: number } | { retry: false };

/**
 * Decides whether a failed job is retried automatically. `used[i]` is the number of retries in this chain that rule `i`
 * has caused. The first rule that matches the outcome decides: when its limit is used up there is no further retry,
 * even if a later rule would match. Call it for failed jobs only: a job with exit status 0 or in state canceled is
 * never retried.
 */
export function automaticRetry(
  rules: readonly RetryRule[],
  outcome: JobOutcome,
  used: readonly number[],
): AutomaticRetryDecision {
  if (outcome.exitStatus === 0) return { retry: false };
  const ruleIndex = rules.findIndex((rule) => matches(rule, outcome));
  const rule = rules[ruleIndex];
  if (rule === undefined || (used[ruleIndex] ?? 0) >= rule.limit) return { retry: false };
  return { retry: true, ruleIndex };
}

function matches(rule: RetryRule, outcome: JobOutcome): boolean {
  return (
    matchesStatus(rule.exitStatus, outcome.exitStatus) &&
    matchesName(rule.signal?.map(signalName), outcome.signal === null ? null : signalName(outcome.signal)) &&
    matchesName(rule.signalReason?.map(lower), outcome.signalReason === null ? null : lower(outcome.signalReason))
  );
}

function matchesStatus(rule: RetryRule['exitStatus'], status: number | null): boolean {
  if (rule === undefined) return true;
  return rule === '*' ? status !== 0 : status !== null && rule.includes(status);
}

/** `none` matches no signal (or reason), `*` matches any. */
function matchesName(rule: readonly string[] | undefined, name: string | null): boolean {
  if (rule === undefined) return true;
  if (name === null || name === '' || name === 'none') return rule.includes('none');
  return rule.includes('*') || rule.includes(name);
}

const lower = (word: string): string => word.toLowerCase();

/** Case and the `SIG` prefix do not matter. */
const signalName = (signal: string): string => signal.toLowerCase().replace(/^sig(?=.)/, '');

/**
 * Whether a failure counts as soft. A job that ended without any exit status (canceled before its start, expired) is
 * soft under `true` and under `exit_status: "*"`.
 */
export function softFails(softFail: SoftFail, exitStatus: number | null): boolean {
  if (exitStatus === 0) return false;
  if (typeof softFail === 'boolean') return softFail;
  return softFail.some((rule) => rule.exitStatus === '*' || rule.exitStatus === exitStatus);
}

export interface ManualRetrySubject {
  type: JobType;
  state: JobState;
  passed: boolean | null;
  /** The job has been retried already; a job is retried at most once. */
  retried: boolean;
  policy: ManualRetry;
  buildState: BuildState;
  /** A synchronous trigger step of a canceled build created this build. */
  parentBuildCanceled: boolean;
}

export type ManualRetryProblem = { kind: 'state' | 'policy' | 'build'; message: string };

/**
 * Why a job cannot be retried by hand, or null. Kind `state` is answered with 400, the others with 422.
 * Expired jobs may be retried too, as the bulk retry does.
 */
export function manualRetryProblem(job: ManualRetrySubject): ManualRetryProblem | null {
  const wrongState: ManualRetryProblem = {
    kind: 'state',
    message: 'Only failed, timed out or canceled jobs can be retried',
  };
  if (job.type !== 'command' && job.type !== 'trigger') return wrongState;
  if (!isRetryableState(job.state)) return wrongState;
  if (job.retried) return { kind: 'state', message: 'Jobs can only be retried once' };
  const passed = job.state === 'finished' && job.passed === true;
  if (passed && !job.policy.permitOnPassed) return wrongState;
  if (isBuildStopped(job.buildState)) return { kind: 'build', message: 'Jobs from canceled builds cannot be retried' };
  if (job.parentBuildCanceled) {
    return {
      kind: 'build',
      message:
        "This job can't be retried because this build was triggered by a synchronous trigger step in a canceled build",
    };
  }
  if (!job.policy.allowed) {
    return { kind: 'policy', message: job.policy.reason ?? 'Retries of this job have been turned off by its step' };
  }
  return null;
}
