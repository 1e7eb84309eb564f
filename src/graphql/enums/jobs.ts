import type { JobState } from '../../domain/builds/job-state.js';
import type { ExtractKind } from '../../domain/builds/failures/extract.js';
import type { ExcerptKind } from '../../domain/builds/failures/failure-lines.js';
import type { LogSearchPlace } from '../../domain/builds/logs/search/search-places.js';
import type { JobExplanationReason } from '../../domain/builds/explanations/job-explanation.js';
import { declare } from './declare.js';

/** States that only a platform such as a hosted stack assigns are part of the contract; no job of Slipway has them. */
export const JobStates = declare('JobStates', 'State of a job.', {
  pending: 'The job was created and its build is not processed yet.',
  waiting: 'The job waits for a wait step or a dependency.',
  waiting_failed: 'The wait step or dependency that held the job failed, so the job cannot run.',
  blocked: 'The job waits for a block step; a block job waits for a user.',
  blocked_failed: 'A job before the block step failed, so the block cannot be unblocked.',
  unblocked: 'A user unblocked the block job.',
  unblocked_failed: 'The block job was unblocked after a failure before it.',
  limiting: 'The job is about to join its concurrency group.',
  limited: 'The concurrency group of the job is full.',
  scheduled: 'The job waits for an agent.',
  reserved: 'A stack has reserved the job for an agent that it starts.',
  assigned: 'The job was offered to an agent that has not accepted it yet.',
  accepted: 'An agent accepted the job and has not started it yet.',
  running: 'An agent runs the job.',
  finished: 'The job ended; `passed` says whether it passed.',
  canceling: 'The job was canceled and its agent is stopping it.',
  canceled: 'The job was canceled.',
  expired: 'No agent accepted the job in time.',
  timing_out: 'The job exceeded its timeout and its agent is stopping it.',
  timed_out: 'The job was stopped because it exceeded its timeout.',
  skipped: 'The job was skipped for a reason outside its build, such as a newer build of the branch.',
  broken: 'The job can never run, for a reason inside its build such as a condition that is not met.',
  platform_limiting: 'The job is about to join a limit of a platform; never the state of a job of this service.',
  platform_limited: 'A limit of a platform holds the job; never the state of a job of this service.',
} satisfies Record<JobState | 'platform_limiting' | 'platform_limited', string>);

export const JobExplanationReasons = declare(
  'JobExplanationReasons',
  'Reason why a job waits, will not run or was stopped.',
  {
    dependency: 'The job waits for jobs before it to end.',
    dependency_failed: 'A job that the job depends on failed or was canceled.',
    dependency_missing: 'The step depends on a key that no step of the build has.',
    dependency_cycle: 'The step depends on itself.',
    block: 'The job waits for a person to unblock a step before it.',
    unblock: 'The job is a block or input step that waits for a person.',
    concurrency_group: 'The concurrency group of the job is full, or others in it come first.',
    no_queue: 'The queue that the job names does not exist.',
    queue_paused: 'The queue of the job is paused.',
    stack: 'A stack starts agents for the queue and has not taken the job yet.',
    no_agents: 'No agent of the queue is connected.',
    no_matching_agents: 'No connected agent of the queue has the tags that the job asks for.',
    agents_paused: 'The agents that could run the job are paused or stopping.',
    agents_busy: 'The agents that could run the job are busy, or paused.',
    dispatch: 'A free agent can run the job and is offered jobs in order.',
    stack_starting: 'A stack has reserved the job and starts an agent for it.',
    agent_starting: 'An agent was offered the job and has not started it yet.',
    agent_stopping: 'The agent of the job is stopping it.',
    triggered_build: 'The job waits for the build that it triggered.',
    trigger_failed: 'The build that the job triggered could not be created, or did not pass.',
    skip: 'The step is skipped.',
    branches: 'The step is not for the branch of the build.',
    condition: 'The condition of the step does not hold.',
    parallelism_zero: 'The step has a parallelism of 0.',
    build_canceled: 'The build was canceled.',
    build_failing: 'The build was failing, and the step is canceled then.',
    build_skipped: 'The build was skipped for a newer one.',
    canceled: 'The job was canceled.',
    expired: 'No agent took the job in time.',
    timed_out: 'The job ran longer than its timeout.',
    agent_lost: 'The agent of the job was lost.',
    stack_error: 'The stack that had taken the job could not run it.',
  } satisfies Record<JobExplanationReason, string>,
);

export const JobFailureExcerptKinds = declare('JobFailureExcerptKinds', 'Kind of what a part of a log shows.', {
  error: 'An error of a compiler, a tool or a script.',
  test: 'A failed test.',
  stack: 'A stack trace.',
  group: 'The beginning of a group that the log wants open.',
  end: 'The end of the log.',
} satisfies Record<ExcerptKind, string>);

export const JobFailureLineKinds = declare('JobFailureLineKinds', 'Kind of a line that is kept of a failed job.', {
  failure_only: 'A line that no passed run of the step, of those that are known, has.',
  error: 'A line that tells of an error, where it could not be compared, or passed runs have it too.',
} satisfies Record<ExtractKind, string>);

export const LogSearchPlaces = declare('LogSearchPlaces', 'Place where a search of logs looks.', {
  extracts: 'The lines that are kept of each failed job, at most 20.',
  logs: 'The whole logs of all jobs.',
} satisfies Record<LogSearchPlace, string>);

export const JobTypes = declare('JobTypes', 'Type of a job, by the step that defines the job.', {
  block: 'Job of a block or input step.',
  command: 'Job of a command step.',
  trigger: 'Job of a trigger step.',
  wait: 'Job of a wait step.',
});

export const JobOrder = declare('JobOrder', 'Order of jobs.', {
  recently_assigned: 'Most recently assigned to an agent first.',
  recently_created: 'Newest first.',
});

export const JobRetryTypes = declare('JobRetryTypes', 'Way in which a job was retried.', {
  automatic: 'A retry rule of the step retried the job.',
  manual: 'A user retried the job.',
});

export const JobEventType = declare('JobEventType', 'Type of an event of a job.', {
  accepted: 'An agent accepted the job.',
  accepted_expired: 'The agent that accepted the job did not start the job in time.',
  agent_disconnected: 'The agent of the job disconnected.',
  agent_lost: 'The agent of the job sent no heartbeat for too long.',
  agent_stopped: 'The agent of the job stopped.',
  assigned: 'The job was offered to an agent.',
  assigned_expired: 'The agent that was offered the job did not accept it in time.',
  build_step_upload_created: 'The job uploaded steps to its build.',
  cancelation: 'Cancelation of the job was requested; its agent is stopping it.',
  canceled: 'The job was canceled.',
  changed: 'The state of the job changed in a way without a type of its own.',
  expired: 'No agent accepted the job in time.',
  finished: 'The command of the job ended.',
  limited: 'The concurrency group of the job was full.',
  log_size_limit_exceeded: 'The log of the job reached its maximum size.',
  notification: 'A notification about the job was sent.',
  platform_limited: 'A limit of a platform held the job.',
  promised_exit_status: 'The agent reported the exit status of the job before the job ended.',
  reprioritized: 'The priority of the job changed.',
  reserved: 'A stack reserved the job.',
  reserved_expired: 'The reservation of the job by a stack expired.',
  retried: 'A new job replaced the job.',
  retry_failed: 'The automatic retry of the job failed.',
  scheduled: 'The job became available to agents.',
  stack_errored: 'A stack reported an error of the job.',
  stack_finished: 'A stack finished the job.',
  stack_notification: 'A stack sent a notification about the job.',
  started: 'An agent started the job.',
  timed_out: 'The job exceeded its timeout.',
  unblocked: 'A user unblocked the job.',
});

export const JobEventActorType = declare('JobEventActorType', 'Type of the actor that caused an event.', {
  agent: 'An agent.',
  dispatch: 'The dispatcher, which offers jobs to agents.',
  stack: 'A stack, which starts agents for jobs.',
  system: 'The service itself.',
  user: 'A user.',
});

export const JobEventSignalReason = declare(
  'JobEventSignalReason',
  'Reason for which the process of a job was stopped by a signal or never started.',
  {
    agent_incompatible: 'The version of the agent cannot run the job.',
    agent_refused: 'A hook or the configuration of the agent refused the job.',
    agent_stop: 'The agent was stopped.',
    cancel: 'The job was canceled.',
    process_run_error: 'The agent could not start the process.',
    signature_rejected: 'The agent rejected the signature of the step.',
    stack_error: 'A stack could not start an agent for the job.',
  },
);
