import { agentHeldStates, type JobState } from '../builds/job-state.js';

export interface ConcurrencyMember {
  jobId: string;
  buildId: string;
  state: JobState;
  /** The job's own limit, fixed at its creation. */
  limit: number;
  method: 'ordered' | 'eager';
  priority: number;
}

/** The states in which a job occupies one of its group's slots. */
export const slotHoldingStates: readonly JobState[] = ['scheduled', 'reserved', ...agentHeldStates];

/**
 * States of the members to load; all others neither hold a slot nor a place (jobs behind a block join when released).
 */
export const concurrencyMemberStates: readonly JobState[] = ['waiting', 'limiting', 'limited', ...slotHoldingStates];

const behindBlock: readonly JobState[] = ['blocked', 'blocked_failed'];
/** States in which a job has a place in its group's queue, or gets it back once what failed is retried. */
const placedStates: readonly JobState[] = ['limiting', 'waiting', 'waiting_failed'];

/**
 * Whether a move puts a job at the end of the queue of its concurrency group: a job that is released from behind a
 * block, and the jobs that wait for it. With an older place than a job that it waits for, builds could wait for each
 * other in a circle. All other jobs keep the place of their creation.
 */
export function takesPlaceNow(from: JobState, to: JobState): boolean {
  return behindBlock.includes(from) && placedStates.includes(to);
}

const holding = new Set(slotHoldingStates);
const inQueue = (state: JobState): boolean => state === 'limiting' || state === 'limited';

/**
 * Whether a move of a member may give others of its group a slot, or adds one that wants a slot. One that keeps its
 * slot changes nothing for the others, and the moves of {@link releasable} have been counted.
 */
export function concernsGroup(from: JobState, to: JobState): boolean {
  const keepsSlot = holding.has(from) && holding.has(to);
  const isReleased = inQueue(from) && (to === 'scheduled' || to === 'limited');
  return !keepsSlot && !isReleased;
}

/**
 * Returns the `limiting` and `limited` jobs of a concurrency group that may be scheduled now, in queue order; the other
 * `limiting` ones become `limited`. Members are passed in queue order: creation time inherited from the build or the
 * uploading job, then position. An ordered job starts if the slots held plus the places ahead of it are fewer than its
 * limit. Jobs still `waiting` for their dependencies keep their place before jobs of other builds, so that a gate of
 * two steps holds, but not before jobs of their own build, on which they may depend. Later jobs are examined even if an
 * earlier one must wait. Eager jobs take any free slot, highest priority first, after the ordered ones. A released job
 * never raises the slots held above its own limit.
 */
export function releasable(members: readonly ConcurrencyMember[]): string[] {
  let running = members.reduce((count, member) => count + (holding.has(member.state) ? 1 : 0), 0);
  const released = new Set<string>();
  let ahead = 0;
  const waitingOf = new Map<string, number>();
  for (const member of members) {
    if (
      member.method === 'ordered' &&
      inQueue(member.state) &&
      running + ahead - (waitingOf.get(member.buildId) ?? 0) < member.limit
    ) {
      released.add(member.jobId);
      running++;
    } else if (inQueue(member.state)) {
      ahead++;
    } else if (member.state === 'waiting') {
      ahead++;
      waitingOf.set(member.buildId, (waitingOf.get(member.buildId) ?? 0) + 1);
    }
  }
  const eager = members.filter((member) => member.method === 'eager' && inQueue(member.state));
  for (const member of eager.sort((a, b) => b.priority - a.priority)) {
    if (running >= member.limit) continue;
    released.add(member.jobId);
    running++;
  }
  return members.filter((member) => released.has(member.jobId)).map((member) => member.jobId);
}
