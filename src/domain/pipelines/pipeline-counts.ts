import type { BuildState } from '../builds/build-state.js';
import { isActive, isQueued, type JobState } from '../builds/job-state.js';

/** Unfinished builds and jobs of a pipeline. */
export interface PipelineCounts {
  scheduledBuildsCount: number;
  runningBuildsCount: number;
  scheduledJobsCount: number;
  runningJobsCount: number;
  waitingJobsCount: number;
}

export const noPipelineCounts: PipelineCounts = {
  scheduledBuildsCount: 0,
  runningBuildsCount: 0,
  scheduledJobsCount: 0,
  runningJobsCount: 0,
  waitingJobsCount: 0,
};

/** Unfinished builds, or command and trigger jobs, of a pipeline in one state. */
export type StateCount = { count: number } & ({ kind: 'build'; state: BuildState } | { kind: 'job'; state: JobState });

/** Adds the builds or jobs of one state to the counts they belong to; blocked builds are in none. */
export function addToCounts(of: PipelineCounts, { kind, state, count }: StateCount): void {
  if (kind === 'build') {
    if (state === 'scheduled' || state === 'creating') of.scheduledBuildsCount += count;
    else if (state !== 'blocked') of.runningBuildsCount += count;
  } else if (isQueued(state) || state === 'assigned') of.scheduledJobsCount += count;
  else if (isActive(state)) of.runningJobsCount += count;
  else of.waitingJobsCount += count;
}
