import { disposition, from, type Disposition, type Moves } from '../transition.js';

/** Internal build states. */
export const buildStates = [
  'creating',
  'scheduled',
  'running',
  'passed',
  'failing',
  'failed',
  'blocked',
  'canceling',
  'canceled',
  'skipped',
  'not_run',
] as const;
export type BuildState = (typeof buildStates)[number];

/** Unfinished builds that are not canceled. */
export const cancelableBuildStates: readonly BuildState[] = ['creating', 'scheduled', 'running', 'failing', 'blocked'];
/** Builds that are not over; a blocked build is among them. */
export const unfinishedBuildStates: readonly BuildState[] = [...cancelableBuildStates, 'canceling'];
/** Builds with a `finished_at`; a retry can reopen passed and failed ones. */
/** States that a build is in because somebody or something stopped it. */
export const stoppedBuildStates: readonly BuildState[] = ['skipped', 'canceling', 'canceled'];

export const finishedBuildStates: readonly BuildState[] = ['passed', 'failed', 'canceled', 'skipped', 'not_run'];

/** The state a blocked build keeps in REST and for the trigger job that started it. */
export const blockedStates = ['passed', 'failed', 'running'] as const;
export type BlockedState = (typeof blockedStates)[number];

export const buildEvents = [
  'process',
  'start',
  'block',
  'resume',
  'begin_failing',
  'recover',
  'pass',
  'fail',
  'not_run',
  'skip',
  'cancel',
  'stop',
  'reopen',
] as const;
export type BuildEvent = (typeof buildEvents)[number];

/**
 * The transition table of builds. The state is always the roll-up of the jobs (rollup.ts); this table names each change
 * and refuses invalid changes. After `cancel` there are jobs to be stopped, after `stop` there are none.
 */
export const buildTransitions: Record<BuildEvent, Moves<BuildState>> = {
  process: { creating: 'scheduled' },
  start: { scheduled: 'running' },
  block: from<BuildState>(['creating', 'scheduled', 'running', 'failing'], 'blocked'),
  resume: { blocked: 'running' },
  begin_failing: from<BuildState>(['creating', 'scheduled', 'running', 'blocked', 'failed'], 'failing'),
  recover: { failing: 'running' },
  pass: from<BuildState>(['scheduled', 'running', 'blocked'], 'passed'),
  fail: from(cancelableBuildStates, 'failed'),
  not_run: from<BuildState>(['creating', 'scheduled'], 'not_run'),
  skip: from<BuildState>(['creating', 'scheduled'], 'skipped'),
  cancel: from<BuildState>(['scheduled', 'running', 'failing', 'blocked'], 'canceling'),
  stop: from(unfinishedBuildStates, 'canceled'),
  reopen: from<BuildState>(['passed', 'failed'], 'running'),
};

/** Decides one event for one build. */
export function transitionBuild(state: BuildState, event: BuildEvent): Disposition<BuildState> {
  return disposition(buildTransitions[event], state, event, 'A build');
}

/** The event that leads from one state to another, for the event row and webhooks; null where no legal one does. */
export function buildEventBetween(before: BuildState, after: BuildState): BuildEvent | null {
  return buildEvents.find((event) => buildTransitions[event][before] === after) ?? null;
}

const finished = new Set(finishedBuildStates);

/** `finished_at` is set in these states; a retry can reopen passed and failed ones. A blocked build is not finished. */
export const isBuildFinished = (state: BuildState): boolean => finished.has(state);

/** Why a build cannot be canceled (422), or null where it can: blocked builds can. */
export function buildCancelProblem(state: BuildState): string | null {
  if (state === 'canceling') return "Build can't be canceled because it's already being canceled.";
  return finished.has(state) ? "Build can't be canceled because it's already finished." : null;
}

/** A rebuild copies commit, branch and environment, so any build that was fully created will do, canceled ones too. */
export const isBuildRebuildable = (state: BuildState): boolean => state !== 'creating';

/** Pipelines may be uploaded while jobs of the build run. */
export const acceptsPipelineUpload = (state: BuildState): boolean => state === 'running' || state === 'failing';

/** Jobs of canceled and skipped builds are neither retried nor unblocked. */
export const isBuildStopped = (state: BuildState): boolean =>
  state === 'canceling' || state === 'canceled' || state === 'skipped';

/**
 * Returns the state of a build on /v2. A blocked build that is fetched shows its `blocked_state` instead, `passed` by
 * default.
 */
export function restBuildState(build: { state: BuildState; blockedState: BlockedState | null }): BuildState {
  return build.state === 'blocked' ? (build.blockedState ?? 'passed') : build.state;
}

const finishedFilter: BuildState[] = ['passed', 'failed', 'blocked', 'canceled'];

/**
 * Turns the values of a state filter into states; `finished` means passed, failed, blocked and canceled. `unknown` is
 * the first value that is not a state.
 */
export function expandBuildStateFilter(values: readonly string[]): { states: BuildState[] } | { unknown: string } {
  const states = new Set<BuildState>();
  for (const value of values) {
    if (value === 'finished') for (const state of finishedFilter) states.add(state);
    else if ((buildStates as readonly string[]).includes(value)) states.add(value as BuildState);
    else return { unknown: value };
  }
  return { states: [...states] };
}
