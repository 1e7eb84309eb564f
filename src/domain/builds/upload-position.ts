import type { StepType } from '../pipelines/steps/step.js';
import type { JobState, JobType } from './job-state.js';

/** A step of a build, as far as its place among the others goes. */
export interface PlacedStep {
  id: string;
  groupId: string | null;
  position: number;
}

/** Where the steps of an upload go, as positions after which they are inserted. */
export interface UploadPosition {
  /** Position of the uploading step: steps that join its group follow it directly. */
  inGroup: number;
  /** Position of the last step of the uploading step's group; of the step itself where it is in none. */
  outside: number;
}

/**
 * Returns where a step's uploads go: directly after it, or after its group. Null for a step that is not in the build.
 */
export function uploadPosition(steps: readonly PlacedStep[], uploaderId: string): UploadPosition | null {
  const uploader = steps.find((step) => step.id === uploaderId);
  if (uploader === undefined) return null;
  const { groupId, position } = uploader;
  const siblings = groupId === null ? [] : steps.filter((step) => step.groupId === groupId);
  return { inGroup: position, outside: siblings.reduce((last, step) => Math.max(last, step.position), position) };
}

/** Returns the position of a step of the build once `joining` steps are in the group and `following` after it. */
export function shiftedPosition(
  position: number,
  place: UploadPosition,
  { joining, following }: { joining: number; following: number },
): number {
  if (position > place.outside) return position + joining + following;
  return position > place.inGroup ? position + joining : position;
}

interface ReplaceableStep {
  id: string;
  groupId: string | null;
  type: StepType;
}

interface ReplaceableJob {
  stepId: string;
  type: JobType;
  state: JobState;
  retried: boolean;
  /** Times that an agent was offered it. */
  attempt?: number;
}

/**
 * Returns the ids of the steps that an upload with `replace` removes: steps without a job that has started or is about
 * to start, and groups that are left without steps.
 */
export function replaceableSteps(steps: readonly ReplaceableStep[], jobs: readonly ReplaceableJob[]): Set<string> {
  const started = new Set(jobs.filter(hasStarted).map((job) => job.stepId));
  const replaceable = new Set(steps.filter(({ id, type }) => type !== 'group' && !started.has(id)).map(({ id }) => id));
  const occupied = new Set(steps.filter(({ id }) => !replaceable.has(id)).map(({ groupId }) => groupId));
  for (const { id, type } of steps) if (type === 'group' && !occupied.has(id)) replaceable.add(id);
  return replaceable;
}

/** States of jobs that were not offered to an agent yet, or will not run. */
const unstarted: ReadonlySet<JobState> = new Set<JobState>([
  'pending',
  'waiting',
  'waiting_failed',
  'blocked',
  'blocked_failed',
  'limiting',
  'limited',
  'scheduled',
  'skipped',
  'broken',
]);

/**
 * A job that was given back may have an agent's annotations or artifacts. A scheduled trigger job is about to create
 * its build: nothing waits for an agent.
 */
function hasStarted({ type, state, retried, attempt = 0 }: ReplaceableJob): boolean {
  return retried || attempt > 0 || !unstarted.has(state) || (type === 'trigger' && state === 'scheduled');
}
