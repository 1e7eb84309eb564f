import type { Json, Step, StepType } from '../pipelines/steps/step.js';
import { isLive, isSettled, isUndecided, type JobState, type JobType } from './job-state.js';

/** A job of a step, as far as it decides the step's state and outcome. */
export interface StepJob {
  type: JobType;
  state: JobState;
  passed: boolean;
  softFailed: boolean;
  retried: boolean;
  startedAt: Date | null;
}

export type StepState =
  | 'ignored'
  | 'waiting_for_dependencies'
  | 'ready'
  | 'waiting_for_input'
  | 'running'
  | 'failing'
  | 'canceled'
  | 'finished';
export type StepOutcome = 'neutral' | 'passed' | 'soft_failed' | 'hard_failed' | 'errored';

const neverRan: ReadonlySet<JobState> = new Set<JobState>(['skipped', 'broken', 'waiting_failed', 'blocked_failed']);
const stopped: ReadonlySet<JobState> = new Set<JobState>(['canceled', 'expired', 'timed_out']);

/** State of a step, from its jobs; state of a group, from the jobs of its steps. */
export function stepState(all: readonly StepJob[]): StepState {
  const jobs = all.filter(({ retried, state }) => !retried && !neverRan.has(state));
  if (jobs.length === 0) return 'ignored';
  if (jobs.every(({ state }) => isSettled(state)))
    return jobs.some(({ state }) => state === 'canceled') ? 'canceled' : 'finished';
  if (jobs.some(isReachedInput)) return 'waiting_for_input';
  const begun = jobs.some(({ state, startedAt }) => startedAt !== null || isSettled(state) || isActiveWord(state));
  if (begun) return jobs.some(hasFailed) ? 'failing' : 'running';
  return jobs.some(({ state }) => isLive(state)) ? 'ready' : 'waiting_for_dependencies';
}

/** Outcome of a step: neutral until all of its jobs have ended, and if none of them ran. */
export function stepOutcome(all: readonly StepJob[]): StepOutcome {
  const jobs = all.filter(({ retried, state }) => !retried && !neverRan.has(state));
  if (jobs.length === 0 || !jobs.every(({ state }) => isSettled(state))) return 'neutral';
  if (jobs.some((job) => stopped.has(job.state) && !job.softFailed)) return 'errored';
  if (jobs.some(hasFailed)) return 'hard_failed';
  return jobs.some(({ softFailed }) => softFailed) ? 'soft_failed' : 'passed';
}

const isReachedInput = ({ type, state }: StepJob) => (type === 'block' || type === 'input') && state === 'blocked';

/** Whether an agent, or a triggered build, works on the job. */
const isActiveWord = (state: JobState) => isLive(state) && !isUndecided(state) && !queued.has(state);
const queued: ReadonlySet<JobState> = new Set<JobState>(['limiting', 'limited', 'scheduled', 'reserved']);

const hasFailed = ({ type, state, passed, softFailed }: StepJob) =>
  !softFailed && (stopped.has(state) || (state === 'finished' && type !== 'wait' && !passed));

/** What `step get` knows of a step besides its definition. */
export interface ReadableStep {
  id: string;
  key: string | null;
  label: string | null;
  type: StepType;
  definition: Step;
  priority: number | null;
  jobs: readonly StepJob[];
}

/** Every attribute of a step that `step get` reads, by its name. */
export function stepAttributes({
  id,
  key,
  label,
  type,
  definition,
  priority,
  jobs,
}: ReadableStep): Record<string, Json> {
  const command = definition.type === 'command' ? definition : null;
  return {
    id,
    agents: command?.agents ?? null,
    command: command?.command ?? null,
    concurrency_key: command?.concurrencyGroup ?? null,
    concurrency_limit: command?.concurrency ?? null,
    depends_on: definition.dependsOn?.map(({ step, allowFailure }) => ({ step, allow_failure: allowFailure })) ?? null,
    env: command?.env ?? null,
    if: definition.if,
    key,
    label,
    notify: ('notify' in definition ? definition.notify : null) ?? [],
    outcome: stepOutcome(jobs),
    parallelism: 'parallelism' in definition ? definition.parallelism : null,
    priority,
    state: stepState(jobs),
    timeout: command?.timeoutInMinutes ?? null,
    // A block is an input that orders the steps around it.
    type: type === 'block' ? 'input' : type,
  };
}

/**
 * Returns what `step get` prints: a text as it is, a number or flag in its JSON form, null as nothing; anything else,
 * and every value with the format `json`, as JSON.
 */
export function printAttribute(value: Json, format: string | null): string {
  if (format === 'json') return JSON.stringify(value);
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
