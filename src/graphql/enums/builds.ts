import type { AnnotationScope as Scope, AnnotationStyle as Style } from '../../domain/builds/annotations/annotation.js';
import type { ArtifactState } from '../../domain/builds/artifact-state.js';
import type { BlockedState, BuildState } from '../../domain/builds/build-state.js';
import type { PathKind } from '../../domain/builds/critical-path/critical-path.js';
import type { BuildExplanationReason } from '../../domain/builds/explanations/build-explanation.js';
import { declare } from './declare.js';

export const BuildStates = declare('BuildStates', 'State of a build.', {
  creating: 'The build was accepted and its first steps are not processed yet.',
  scheduled: 'The jobs of the build wait to start.',
  running: 'At least one job of the build has started.',
  passed: 'Every job of the build passed, or failed where its step allows it.',
  failing: 'A job of the build failed and others still run.',
  failed: 'At least one job of the build failed, expired, timed out or was canceled, and its step does not allow that.',
  blocked:
    'The build waits for a user to unblock a block or input step; `blockedState` has the state of its other jobs.',
  canceling: 'The build was canceled and its running jobs are stopping.',
  canceled: 'The build was canceled and every job has stopped.',
  skipped: 'A newer build of the same branch replaced the build before it started.',
  not_run: 'The conditions of the pipeline excluded the build, so no job ran.',
} satisfies Record<BuildState, string>);

export const BuildExplanationReasons = declare(
  'BuildExplanationReasons',
  'Reason why a build was skipped or canceled, waits for a person or ran nothing.',
  {
    superseded: 'A newer build of the branch took the place of the build.',
    canceled: 'The build was canceled.',
    unblock: 'The build waits for a person to unblock a step.',
    not_run: 'No step of the build had anything to run.',
  } satisfies Record<BuildExplanationReason, string>,
);

export const BuildPathKinds = declare('BuildPathKinds', 'Thing that a build was doing for a while.', {
  running: 'A job ran, or the build that it triggered.',
  agent: 'A job could have run and had no agent.',
  concurrency: 'A job waited for others of its concurrency group.',
  person: 'The build waited for somebody to unblock or retry.',
  other: 'The server was at work, or nothing is known.',
} satisfies Record<PathKind, string>);

export const BuildBlockedStates = declare('BuildBlockedStates', 'State of the other jobs of a blocked build.', {
  passed: 'No job failed, and the waiting block steps report the build as passed (the default).',
  failed: 'A job failed, or a waiting block step reports the build as failed (`blocked_state: failed`).',
  running: 'A waiting block step reports the build as running (`blocked_state: running`).',
} satisfies Record<BlockedState, string>);

export const BuildRetryFailedJobsStates = declare('BuildRetryFailedJobsStates', 'Way in which a job failed.', {
  canceled: 'The job was canceled.',
  expired: 'No agent accepted the job in time.',
  failed: 'The command of the job failed.',
  soft_failed: 'The command of the job failed and its step allows that (`soft_fail`).',
  timed_out: 'The job ran longer than its timeout.',
});

export const AnnotationStyle = declare('AnnotationStyle', 'Visual style of an annotation.', {
  success: 'Style of a success, green.',
  info: 'Style of information, blue.',
  warning: 'Style of a warning, yellow.',
  error: 'Style of an error, red.',
  default: 'Neutral style of an annotation without a style of its own.',
} satisfies Record<Style | 'default', string>);

export const AnnotationScope = declare('AnnotationScope', 'Object that an annotation belongs to.', {
  build: 'The annotation belongs to the build.',
  job: 'The annotation belongs to one job of the build.',
} satisfies Record<Scope, string>);

export const AnnotationOrder = declare('AnnotationOrder', 'Order of annotations.', {
  priority_recently_created: 'Highest priority first; newest first within a priority.',
  recently_created: 'Newest first.',
});

export const ArtifactStates = declare('ArtifactStates', 'State of an artifact.', {
  new: 'The agent has announced the artifact and its upload is not complete.',
  error: 'The upload failed.',
  finished: 'The upload is complete and the artifact can be downloaded.',
  deleted: 'The artifact was deleted; its record remains.',
  expired: 'The retention period of the artifact has passed and its content is gone.',
} satisfies Record<ArtifactState, string>);
