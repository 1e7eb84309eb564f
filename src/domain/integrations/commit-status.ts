import type { BlockedState, BuildState } from '../builds/build-state.js';
import type { JobState } from '../builds/job-state.js';
import { type CommitStatusRequest } from './notify.js';
import type { CommitStatusState } from './status-outcome.js';

export interface CommitStatus {
  /** The name under which the provider keeps it: one status a commit and context. */
  context: string;
  state: CommitStatusState;
  description: string;
}

/** Provider settings of the pipeline for commit statuses. */
export interface CommitStatusSettings {
  publish: boolean;
  perStep: boolean;
  separatePullRequest: boolean;
  blockedAsPending: boolean;
}

export interface StatusBuild {
  number: number;
  state: BuildState;
  blockedState: BlockedState | null;
  /** Null where the build is of no pull request. */
  pullRequestId: string | null;
}

export interface StatusStep {
  key: string | null;
  label: string | null;
  requests: CommitStatusRequest[];
  /** Latest attempts of its command jobs. */
  jobs: { state: JobState; passed: boolean; softFailed: boolean }[];
}

/** Providers show a line; longer texts are refused by them. */
const descriptionLength = 140;
const contextLength = 255;

/** Only whole SHAs can carry a status. */
export const isFullSha = (commit: string): boolean => /^[0-9a-f]{40}$/.test(commit);

/**
 * Returns the commit status of a build; of a blocked build its result so far, or pending if `blockedAsPending` is set.
 */
export function statusOfBuild(
  { state, blockedState }: Pick<StatusBuild, 'state' | 'blockedState'>,
  blockedAsPending: boolean,
): CommitStatusState {
  if (state === 'blocked' && (blockedAsPending || blockedState === 'running')) return 'pending';
  if (state === 'blocked') return blockedState === 'failed' ? 'failure' : 'success';
  if (state === 'passed') return 'success';
  if (state === 'failed' || state === 'canceled' || state === 'skipped' || state === 'not_run') return 'failure';
  return 'pending';
}

const words: Record<CommitStatusState, string> = {
  pending: 'is running',
  success: 'passed',
  failure: 'failed',
  error: 'could not run',
};

function wordOf({ state }: Pick<StatusBuild, 'state'>, status: CommitStatusState): string {
  if (state === 'scheduled' || state === 'creating') return 'is scheduled';
  if (state === 'blocked') return status === 'pending' ? 'is blocked' : `${words[status]} and is blocked`;
  if (state === 'failing') return 'is failing';
  if (state === 'canceling') return 'is being canceled';
  if (state === 'canceled' || state === 'skipped') return `was ${state}`;
  return state === 'not_run' ? 'did not run' : words[status];
}

/** The status a step has come to: pending while a job of it is open, a failure once one has failed for good. */
export function statusOfStep(jobs: StatusStep['jobs']): CommitStatusState {
  const failed = jobs.some(
    ({ state, passed, softFailed }) =>
      !softFailed &&
      ((state === 'finished' && !passed) || ['timed_out', 'canceled', 'expired', 'broken'].includes(state)),
  );
  if (failed) return 'failure';
  return jobs.every(
    ({ state, passed, softFailed }) => (state === 'finished' && passed) || softFailed || state === 'skipped',
  )
    ? 'success'
    : 'pending';
}

/**
 * Returns every status that a build's commit must have now: of the whole build, once for each requested context, and of
 * its steps if configured. A later entry with the same context is dropped.
 */
export function commitStatuses(
  slug: string,
  settings: CommitStatusSettings,
  requests: readonly CommitStatusRequest[],
  build: StatusBuild,
  steps: readonly StatusStep[],
): CommitStatus[] {
  const base = `buildkite/${slug}${settings.separatePullRequest && build.pullRequestId !== null ? '/pr' : ''}`;
  const statuses: CommitStatus[] = [];
  const add = (context: string, state: CommitStatusState, description: string) => {
    const name = context.slice(0, contextLength);
    if (!statuses.some((status) => status.context === name))
      statuses.push({ context: name, state, description: description.slice(0, descriptionLength) });
  };
  const ofBuild = (context: string, blockedAsPending: boolean) => {
    const state = statusOfBuild(build, blockedAsPending);
    add(context, state, `Build #${build.number} ${wordOf(build, state)}`);
  };
  if (settings.publish) ofBuild(base, settings.blockedAsPending);
  for (const request of requests)
    ofBuild(request.context ?? base, request.blockedAsPending || settings.blockedAsPending);
  for (const step of steps) {
    const name = step.key ?? step.label;
    const state = statusOfStep(step.jobs);
    const describe = (context: string) =>
      add(context, state, `Build #${build.number}: ${step.label ?? step.key ?? 'step'} ${words[state]}`);
    if (settings.publish && settings.perStep && name !== null && step.jobs.length > 0) describe(`${base}/${name}`);
    for (const request of step.requests)
      if (step.jobs.length > 0 && (request.context !== null || name !== null))
        describe(request.context ?? `${base}/${name}`);
  }
  return statuses;
}
