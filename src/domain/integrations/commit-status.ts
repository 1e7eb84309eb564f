import type { BlockedState, BuildState } from '../builds/build-state.js';
import type { JobState } from '../builds/job-state.js';
import { spokenDuration } from '../time.js';
import { externalIdOf, shownOutput, type WantedCheck } from './check-run.js';
import type { CheckRequest, CommitStatusRequest } from './notify.js';
import { type CommitStatusState, githubStates, type StatusOutcome } from './status-outcome.js';

export interface CommitStatus {
  /** The name under which the provider keeps it: one status a commit and context. */
  context: string;
  outcome: StatusOutcome;
  /** The outcome in the words of GitHub. */
  state: CommitStatusState;
  description: string;
  /** Whether it is of a step: statuses of whole builds are sent first. */
  ofStep: boolean;
  /** Why it is not sent; null for one that is. */
  problem: string | null;
  /** What a check run shows; null for a commit status. */
  check: WantedCheck | null;
}

/** Provider settings of the pipeline for commit statuses. */
export interface CommitStatusSettings {
  publish: boolean;
  perStep: boolean;
  separatePullRequest: boolean;
  blockedAsPending: boolean;
  /** Whether the key of a step names its status rather than its label. */
  useStepKey: boolean;
  /** Whether `notify` entries must have a context, and one that does not begin with `buildkite/`. */
  preventPrefix: boolean;
}

export interface StatusBuild {
  number: number;
  state: BuildState;
  blockedState: BlockedState | null;
  /** Null where the build is of no pull request. */
  pullRequestId: string | null;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export interface StatusJob {
  state: JobState;
  passed: boolean;
  softFailed: boolean;
  /** Why the job was not to run; null also for one that broke because others failed. */
  brokenReason: string | null;
}

export interface StatusStep {
  key: string | null;
  label: string | null;
  requests: CommitStatusRequest[];
  /** Whether the step has a status without asking for one; a group has none. */
  isGroup: boolean;
  /** Latest attempts of its command jobs, of a group those of all its steps. */
  jobs: StatusJob[];
}

/** Providers show a line; longer texts are refused by them. */
const descriptionLength = 140;
const contextLength = 255;
const prefix = 'buildkite/';
/** Contexts of check runs, which have names of their own at GitHub. */
const checkContext = 'check: ';

/**
 * Returns the outcome of a build; of a blocked build its result so far, or `scheduled` if `blockedAsPending` is set.
 */
export function outcomeOfBuild(
  { state, blockedState }: Pick<StatusBuild, 'state' | 'blockedState'>,
  blockedAsPending: boolean,
): StatusOutcome {
  switch (state) {
    case 'creating':
    case 'scheduled':
      return 'scheduled';
    case 'canceling':
      return 'running';
    case 'blocked':
      if (blockedState === 'failed') return 'failed';
      return blockedAsPending || blockedState === 'running' ? 'scheduled' : 'passed';
    default:
      return state;
  }
}

const words: Record<StatusOutcome, string> = {
  scheduled: 'is scheduled',
  running: 'is running',
  failing: 'is failing',
  passed: 'passed',
  failed: 'failed',
  errored: 'could not run',
  canceled: 'was canceled',
  skipped: 'was skipped',
  not_run: 'did not run',
};

/** `Build #12 passed (3 minutes, 4 seconds)`. */
function describeBuild(build: StatusBuild, outcome: StatusOutcome): string {
  const { number, state, startedAt, finishedAt } = build;
  if (state === 'blocked')
    return `Build #${number} ${outcome === 'scheduled' ? 'is blocked' : `${words[outcome]} and is blocked`}`;
  if (state === 'canceling') return `Build #${number} is being canceled`;
  const duration = startedAt && finishedAt ? ` (${spokenDuration(finishedAt.getTime() - startedAt.getTime())})` : '';
  return `Build #${number} ${words[outcome]}${duration}`;
}

const isLeftOut = ({ state, brokenReason }: StatusJob) =>
  state === 'skipped' || (state === 'broken' && brokenReason !== null);

/**
 * Returns the outcome of the jobs of a step: a failure once one has failed for good, else open while a job is; null for
 * a step that was left out.
 */
export function outcomeOfStep(jobs: readonly StatusJob[]): StatusOutcome | null {
  const counted = jobs.filter((job) => !isLeftOut(job));
  if (counted.length === 0) return null;
  const blamed = counted.filter(({ softFailed }) => !softFailed);
  const hasState = (...states: JobState[]) => blamed.some(({ state }) => states.includes(state));
  if (blamed.some(({ state, passed }) => state === 'finished' && !passed)) return 'failed';
  if (hasState('timed_out', 'broken')) return 'failed';
  if (hasState('canceled', 'expired')) return 'errored';
  const done = counted.filter(({ state, softFailed }) => state === 'finished' || softFailed).length;
  if (done === counted.length) return 'passed';
  return done > 0 || hasState('running', 'canceling', 'timing_out') ? 'running' : 'scheduled';
}

/**
 * Returns every status that a build's commit must have now: of the whole build, once for each requested context, and of
 * its steps if configured. Steps with one context share a status. A step does not take the context of its build.
 */
export function commitStatuses(
  slug: string,
  settings: CommitStatusSettings,
  requests: readonly CommitStatusRequest[],
  build: StatusBuild,
  steps: readonly StatusStep[],
): CommitStatus[] {
  const base = `${prefix}${slug}${settings.separatePullRequest && build.pullRequestId !== null ? '/pr' : ''}`;
  const statuses = new Map<string, CommitStatus>();
  const add = (
    context: string,
    outcome: StatusOutcome,
    description: string,
    more: { ofStep: boolean; problem: string | null },
  ) => {
    const name = context.slice(0, contextLength);
    if (!statuses.has(name))
      statuses.set(name, {
        context: name,
        outcome,
        state: githubStates[outcome],
        description: description.slice(0, descriptionLength),
        check: null,
        ...more,
      });
  };
  const problemOf = ({ context }: CommitStatusRequest) =>
    settings.preventPrefix && (context === null || context.startsWith(prefix))
      ? 'Not sent: the setting prevent_custom_statuses_from_using_buildkite_prefix asks for a context in "notify" ' +
        `that does not begin with ${prefix}`
      : null;
  const ofBuild = (context: string, blockedAsPending: boolean, problem: string | null) => {
    const outcome = outcomeOfBuild(build, blockedAsPending);
    add(context, outcome, describeBuild(build, outcome), { ofStep: false, problem });
  };
  if (settings.publish) ofBuild(base, settings.blockedAsPending, null);
  for (const request of requests)
    ofBuild(request.context ?? base, request.blockedAsPending || settings.blockedAsPending, problemOf(request));
  for (const [context, { title, jobs, problem }] of stepsByContext(base, settings, steps, problemOf)) {
    const outcome = outcomeOfStep(jobs);
    if (outcome !== null)
      add(context, outcome, `Build #${build.number}: ${title} ${words[outcome]}`, { ofStep: true, problem });
  }
  return [...statuses.values()];
}

/** A step with the check runs that it asks for. */
export interface CheckStep extends Pick<StatusStep, 'key' | 'label' | 'jobs'> {
  id: string;
  checks: CheckRequest[];
}

/**
 * Returns every check run that a build asks for: of itself, named after its pipeline, and of steps, named after them.
 * The first of several with one name counts.
 */
export function checkRuns(
  pipelineName: string,
  settings: Pick<CommitStatusSettings, 'blockedAsPending'>,
  requests: readonly CheckRequest[],
  build: StatusBuild & { id: string },
  steps: readonly CheckStep[],
  problem: string | null,
): CommitStatus[] {
  const checks = new Map<string, CommitStatus>();
  const add = (name: string, outcome: StatusOutcome, description: string, check: Omit<WantedCheck, 'name'>) => {
    const context = `${checkContext}${name}`.slice(0, contextLength);
    if (checks.has(context)) return;
    checks.set(context, {
      context,
      outcome,
      state: githubStates[outcome],
      description: description.slice(0, descriptionLength),
      ofStep: check.externalId.startsWith(externalIdOf('step', '')),
      problem,
      check: { name: context.slice(checkContext.length), ...check },
    });
  };
  for (const { name, output } of requests) {
    const outcome = outcomeOfBuild(build, settings.blockedAsPending);
    const description = describeBuild(build, outcome);
    add(name ?? pipelineName, outcome, description, {
      externalId: externalIdOf('build', build.id),
      ...shownOutput(output, description),
      startedAt: build.startedAt?.toISOString() ?? null,
      completedAt: build.finishedAt?.toISOString() ?? null,
    });
  }
  for (const { id, key, label, checks: requestsOfStep, jobs } of steps) {
    const outcome = outcomeOfStep(jobs);
    if (outcome === null) continue;
    const title = label ?? key ?? 'step';
    const description = `Build #${build.number}: ${title} ${words[outcome]}`;
    for (const { name, output } of requestsOfStep)
      add(name ?? title, outcome, description, {
        externalId: externalIdOf('step', id),
        ...shownOutput(output, description),
        startedAt: null,
        completedAt: null,
      });
  }
  return [...checks.values()];
}

interface StepStatus {
  title: string;
  jobs: StatusJob[];
  problem: string | null;
}

/** Gathers the jobs of steps by the contexts that the steps have or ask for. */
function stepsByContext(
  base: string,
  settings: CommitStatusSettings,
  steps: readonly StatusStep[],
  problemOf: (request: CommitStatusRequest) => string | null,
): Map<string, StepStatus> {
  const statuses = new Map<string, StepStatus>();
  for (const { key, label, requests, isGroup, jobs } of steps) {
    const name = settings.useStepKey ? (key ?? label) : (label ?? key);
    const add = (context: string, problem: string | null) => {
      const known = statuses.get(context);
      if (known) known.jobs.push(...jobs);
      else statuses.set(context, { title: label ?? key ?? 'step', jobs: [...jobs], problem });
    };
    if (settings.publish && settings.perStep && !isGroup && name !== null) add(`${base}/${name}`, null);
    for (const request of requests)
      if (request.context !== null || name !== null) add(request.context ?? `${base}/${name}`, problemOf(request));
  }
  return statuses;
}
