import { slotHoldingStates } from '../../agents/concurrency.js';
import type { JobState } from '../job-state.js';

/** A job of a concurrency group that holds a slot or a place in the queue. */
export interface GroupMember {
  id: string;
  buildId: string;
  state: JobState;
}

export interface GroupJob {
  id: string;
  buildId: string;
  concurrencyGroup: string | null;
  concurrencyLimit: number | null;
  concurrencyMethod: 'ordered' | 'eager';
}

export interface GroupExplanation {
  message: string;
  /** Jobs that hold the slots, else those ahead in the queue. */
  jobIds: string[];
}

const holdsSlot = ({ state }: GroupMember): boolean => slotHoldingStates.includes(state);

/** A job that comes first may wait for the end of the very build that waits for it. */
const circle =
  ' One of them is of the build that triggered this one and waits for its end: neither goes on until one of ' +
  'them is canceled. Give one of the two another group.';

/**
 * Explains why a job waits for its concurrency group.
 * @param members holders of slots and the front of the queue, in queue order
 * @param waitingBuilds builds that wait for the end of the job's build, because they triggered it
 */
export function explainGroup(
  job: GroupJob,
  members: readonly GroupMember[],
  waitingBuilds: ReadonlySet<string> = new Set(),
): GroupExplanation {
  const limit = job.concurrencyLimit ?? 1;
  const named = `The concurrency group "${job.concurrencyGroup}"`;
  const holders = members.filter(holdsSlot);
  if (holders.length >= limit)
    return {
      message: `${named} is full: ${limit === 1 ? 'its slot is' : `all ${limit} slots are`} taken.`,
      jobIds: holders.map(({ id }) => id),
    };
  const isOfWaitingBuild = ({ buildId }: GroupMember) => waitingBuilds.has(buildId);
  const own = members.findIndex(({ id }) => id === job.id);
  // Jobs of the same build that still wait keep no place before this one.
  const ahead = members
    .slice(0, own < 0 ? members.length : own)
    .filter((member) => !holdsSlot(member) && !(member.state === 'waiting' && member.buildId === job.buildId));
  if (job.concurrencyMethod === 'ordered' && ahead.length > 0)
    return {
      message:
        `${named} keeps the order of its jobs, and others ` +
        `come first.${ahead.some(isOfWaitingBuild) ? circle : ''}`,
      jobIds: ahead.map(({ id }) => id),
    };
  return { message: `${named} has a free slot, which is given out in a moment.`, jobIds: [] };
}
