import type { BlockedState, BuildState } from './build-state.js';
import type { JobEvent, JobState, JobType } from './job-state.js';
import type { BuildRollup } from './rollup.js';
import type { SoftFail, StepDependency, StepType } from '../pipelines/steps/step.js';

/** One step of a build. A group is a step without jobs; its children name it in `groupId`. */
export interface ScheduledStep {
  id: string;
  key: string | null;
  type: StepType;
  /** Id of the enclosing group step. */
  groupId: string | null;
  /** null: implicit order; []: explicitly none. */
  dependsOn: readonly StepDependency[] | null;
  allowDependencyFailure: boolean;
  /** Of wait steps. */
  continueOnFailure: boolean;
  /** Of block and input steps. */
  blockedState: BlockedState | null;
  softFail: SoftFail;
  /** The step whose job uploaded this one. */
  uploadedByStepId: string | null;
}

/** One job of a build, retried ones included. */
export interface ScheduledJob {
  id: string;
  stepId: string;
  type: JobType;
  state: JobState;
  /** Of `finished` jobs. */
  passed: boolean | null;
  softFailed: boolean;
  /** Superseded by a retry: ignored but for `started`. */
  retried: boolean;
  /** `started_at` is set. */
  started: boolean;
  /** Belongs to a concurrency group, so being ready means joining its queue. */
  hasConcurrency: boolean;
  /** A hard failure was promised that no automatic retry will undo. */
  promisedFailure: boolean;
  cancelOnBuildFailing: boolean;
  /** Overrides the step's, as a matrix adjustment may. */
  softFail?: SoftFail;
}

export interface ScheduleFacts {
  build: {
    state: BuildState;
    /** `build.failing` of the last decision, stored beside the state; false for a new build. */
    failing: boolean;
    /** Durable: stays true once a cancel was accepted. */
    cancelRequested: boolean;
    /** A newer build made this one unnecessary before it ran. */
    skipRequested: boolean;
  };
  /** In pipeline order: uploaded steps directly after the uploading one, children after their group. */
  steps: readonly ScheduledStep[];
  jobs: readonly ScheduledJob[];
}

/** Why the scheduler changed a job; goes into the event row. */
export type ScheduleReason =
  | 'ready'
  | 'behind_wait_or_dependency'
  | 'behind_block'
  | 'reached'
  | 'dependency_failed'
  | 'dependency_missing'
  | 'dependency_cycle'
  | 'build_canceled'
  | 'build_failing'
  | 'build_skipped'
  | 'step_canceled';

export interface JobChange {
  id: string;
  /** Legal from the job's state in the facts (transition() says `moved`, to `to`). */
  event: JobEvent;
  to: JobState;
  reason: ScheduleReason;
  /** New value of the job's `soft_failed`; present only if `to` is `canceled`. */
  softFailed?: boolean;
}

export interface Decision {
  /** At most one per job, none before the change that caused it. */
  jobs: JobChange[];
  build: BuildRollup;
}
