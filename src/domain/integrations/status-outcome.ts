/**
 * State of a build or step for a commit status, in words of our own: each provider has fewer or other ones.
 * `failing`: a build that still runs and has failed jobs. `errored`: a step that ended without a result of its own.
 */
export const statusOutcomes = [
  'scheduled',
  'running',
  'failing',
  'passed',
  'failed',
  'errored',
  'canceled',
  'skipped',
  'not_run',
] as const;
export type StatusOutcome = (typeof statusOutcomes)[number];

/** States as the API of GitHub has them. */
export type CommitStatusState = 'pending' | 'success' | 'failure' | 'error';

/** The state at each provider, by outcome (docs/source-providers.md). */
type Words<Word extends string> = Readonly<Record<StatusOutcome, Word>>;

export const githubStates: Words<CommitStatusState> = {
  scheduled: 'pending',
  running: 'pending',
  failing: 'failure',
  passed: 'success',
  failed: 'failure',
  errored: 'error',
  canceled: 'failure',
  skipped: 'failure',
  not_run: 'success',
};

/** GitLab cannot go back from `failed`, so that a build that fails is `running` until it ends. */
export const gitlabStates: Words<'pending' | 'running' | 'success' | 'failed' | 'canceled' | 'skipped'> = {
  scheduled: 'pending',
  running: 'running',
  failing: 'running',
  passed: 'success',
  failed: 'failed',
  errored: 'canceled',
  canceled: 'canceled',
  skipped: 'skipped',
  not_run: 'skipped',
};

/** What GitLab before 17 takes in place of a state that it does not know. */
export const olderGitlabStates: Readonly<Partial<Record<StatusOutcome, 'success' | 'canceled'>>> = {
  skipped: 'canceled',
  not_run: 'success',
};

export const bitbucketStates: Words<'INPROGRESS' | 'SUCCESSFUL' | 'FAILED' | 'STOPPED'> = {
  scheduled: 'INPROGRESS',
  running: 'INPROGRESS',
  failing: 'FAILED',
  passed: 'SUCCESSFUL',
  failed: 'FAILED',
  errored: 'STOPPED',
  canceled: 'STOPPED',
  skipped: 'STOPPED',
  not_run: 'SUCCESSFUL',
};

export const bitbucketServerStates: Words<'INPROGRESS' | 'SUCCESSFUL' | 'FAILED' | 'CANCELLED'> = {
  scheduled: 'INPROGRESS',
  running: 'INPROGRESS',
  failing: 'FAILED',
  passed: 'SUCCESSFUL',
  failed: 'FAILED',
  errored: 'CANCELLED',
  canceled: 'CANCELLED',
  skipped: 'CANCELLED',
  not_run: 'SUCCESSFUL',
};

export const giteaStates: Words<CommitStatusState | 'skipped'> = {
  ...githubStates,
  skipped: 'skipped',
  not_run: 'skipped',
};
