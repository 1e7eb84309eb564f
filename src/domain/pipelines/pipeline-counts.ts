import type { BuildState } from '../builds/build-state.js';
import { unfinishedBuildStates } from '../builds/build-state.js';
import { isActive, isQueued, type JobState, type JobType, unfinishedJobStates } from '../builds/job-state.js';

/** Unfinished builds and jobs of a pipeline. */
export interface PipelineCounts {
  scheduledBuildsCount: number;
  runningBuildsCount: number;
  scheduledJobsCount: number;
  runningJobsCount: number;
  waitingJobsCount: number;
}

/** The counts in the order in which they are stored and read. */
export const pipelineCountNames = [
  'scheduledBuildsCount',
  'runningBuildsCount',
  'scheduledJobsCount',
  'runningJobsCount',
  'waitingJobsCount',
] as const satisfies readonly (keyof PipelineCounts)[];

/** Types of jobs that are counted. */
export const countedJobTypes: readonly JobType[] = ['command', 'trigger'];

/** The count that a build in this state belongs to; null for finished and blocked ones. */
export function countOfBuild(state: BuildState): keyof PipelineCounts | null {
  if (!unfinishedBuildStates.includes(state) || state === 'blocked') return null;
  return state === 'scheduled' || state === 'creating' ? 'scheduledBuildsCount' : 'runningBuildsCount';
}

/** Count that a job in this state belongs to, if jobs of its type are counted; null if the job has ended. */
export function countOfJob(state: JobState): keyof PipelineCounts | null {
  if (!unfinishedJobStates.includes(state)) return null;
  if (isQueued(state) || state === 'assigned') return 'scheduledJobsCount';
  return isActive(state) ? 'runningJobsCount' : 'waitingJobsCount';
}
