import { isSettled, type JobState } from '../../../src/domain/builds/job-state.js';
import type { StepDependency } from '../../../src/domain/pipelines/steps/step.js';
import type { JobRow, StepRow } from '../../../src/entities/database.js';
import { stepDefinition } from '../../../src/engine/builds/load-facts.js';
import type { BuildFacts } from './facts.js';

const undecided: readonly JobState[] = ['pending', 'waiting', 'blocked', 'waiting_failed', 'blocked_failed'];

/** What a step must not start before, and whether a failure there may be overlooked. */
interface Need {
  step: StepRow;
  failureAllowed: boolean;
  /** Wait or block between the two steps. */
  behind?: StepRow;
}

/**
 * Replays the events of a build and names each job that was released, or block that was reached, before what its step
 * depends on had come to the end it needs (I9). Written from the meaning of waits and dependencies, not from the
 * scheduler's graph; it knows necessary conditions only.
 */
export function crossedBarriers({ steps, jobs, events }: BuildFacts): string[] {
  const crossed: string[] = [];
  const states = new Map<string, JobState>();
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const seen = new Set<string>();
  /** Steps and groups of which a job had an event. */
  const begun = new Set<string>();
  /** Jobs that there were when a wait or block was passed, by its step. */
  const whenPassed = new Map<string, ReadonlySet<string>>();
  /**
   * Somebody retried the job, or one it goes back to, when the barrier was passed already: that does not close it
   * again.
   */
  const retriedBehind = (job: JobRow, barrier: StepRow | undefined): boolean => {
    const there = whenPassed.get(barrier?.id ?? '');
    for (let each: JobRow | undefined = there && job; each; each = byId.get(each.retrySourceId ?? ''))
      if (each.retryType === 'manual' && !there?.has(each.id)) return true;
    return false;
  };
  for (const job of jobs) states.set(job.id, job.state === 'broken' ? 'broken' : 'pending');
  const superseded = (job: JobRow) => {
    const next = job.retriedInJobId === null ? undefined : byId.get(job.retriedInJobId);
    return (
      next !== undefined &&
      (seen.has(next.id) || (next.retryType === 'automatic' && isSettled(states.get(job.id) ?? 'pending')))
    );
  };
  for (const event of events) {
    const job = event.jobId === null ? undefined : byId.get(event.jobId);
    if (!job || event.toState === null) continue;
    const from = states.get(job.id) ?? 'pending';
    const to = event.toState as JobState;
    if (isReleased(job, from, to)) {
      const current = (step: StepRow) =>
        jobs.filter(
          (other) =>
            other.stepId === step.id &&
            !superseded(other) &&
            (other.retrySourceId === null || seen.has(other.id) || other.retryType === 'automatic'),
        );
      const step = steps.find(({ id }) => id === job.stepId);
      // What is uploaded later, even to a place before this step, does not take back what was released.
      const known = steps.filter((each) => each.uploadedByJobId === null || each === step || begun.has(each.id));
      for (const need of step ? needsOf(step, known) : []) {
        for (const other of current(need.step)) {
          const state = states.get(other.id) ?? 'pending';
          if (!suffices(other, state, need.failureAllowed) && !retriedBehind(other, need.behind))
            crossed.push(
              `job ${job.id} (${step?.key ?? step?.type}) became ${to} at event ${event.sequence} while ${need.step.key ?? need.step.type} was ${state}`,
            );
        }
      }
    }
    seen.add(job.id);
    begun.add(job.stepId);
    const groupId = steps.find(({ id }) => id === job.stepId)?.groupId;
    if (groupId) begun.add(groupId);
    states.set(job.id, to);
    if ((job.type === 'wait' || job.type === 'block') && isSettled(to) && !whenPassed.has(job.stepId))
      whenPassed.set(job.stepId, new Set(seen));
  }
  return crossed;
}

function isReleased(job: JobRow, from: JobState, to: JobState): boolean {
  if (!undecided.includes(from)) return false;
  if (job.type === 'block' || job.type === 'input') return to === 'blocked';
  return job.type !== 'wait' && ['limiting', 'limited', 'scheduled', 'running'].includes(to);
}

function suffices(job: JobRow, state: JobState, failureAllowed: boolean): boolean {
  if (!isSettled(state)) return false;
  if (job.softFailed && job.state === state) return true;
  if (state === 'canceled' || state === 'expired') return false;
  if (failureAllowed || state === 'skipped' || state === 'broken' || state === 'unblocked') return true;
  return state === 'finished' && (job.type === 'wait' || job.passed);
}

function needsOf(step: StepRow, steps: readonly StepRow[]): Need[] {
  const definition = stepDefinition(step);
  const group = steps.find(({ id }) => id === step.groupId);
  const ofGroup = group
    ? explicitNeeds(stepDefinition(group).dependsOn, stepDefinition(group).allowDependencyFailure, steps)
    : [];
  if (definition.dependsOn !== null)
    return [...ofGroup, ...explicitNeeds(definition.dependsOn, definition.allowDependencyFailure, steps)];
  // A group that says what it depends on has left the implicit order, and its children with it.
  if (group && stepDefinition(group).dependsOn !== null) return ofGroup;
  return implicitNeeds(group ?? step, steps);
}

function explicitNeeds(
  dependsOn: readonly StepDependency[] | null,
  allowed: boolean,
  steps: readonly StepRow[],
): Need[] {
  return (dependsOn ?? []).flatMap(({ step: key, allowFailure }) => {
    const target = steps.find((step) => step.key === key);
    const all = target ? [target, ...steps.filter(({ groupId }) => groupId === target.id)] : [];
    return all.map((step) => ({ step, failureAllowed: allowed || allowFailure }));
  });
}

function implicitNeeds(step: StepRow, steps: readonly StepRow[]): Need[] {
  const before = steps.filter(({ position }) => position < step.position);
  const isBlockOrWait = step.type === 'block' || step.type === 'wait';
  const barrier = isBlockOrWait ? step : before.filter(({ type }) => type === 'wait' || type === 'block').at(-1);
  if (!barrier) return [];
  const definition = stepDefinition(barrier);
  const failureAllowed = definition.type === 'wait' && definition.continueOnFailure;
  const ahead = before
    .filter(({ position }) => position < barrier.position)
    .map((each) => ({ step: each, failureAllowed, ...(isBlockOrWait ? {} : { behind: barrier }) }));
  return isBlockOrWait ? ahead : [...ahead, { step: barrier, failureAllowed }];
}
