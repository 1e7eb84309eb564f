import { disposition, from, type Disposition, type Moves } from '../transition.js';

/**
 * Internal job states. REST prints `passed` or `failed` for `finished`, and `scheduled` for
 * `limiting` and `limited`; GraphQL prints FINISHED with `passed`.
 */
export const jobStates = [
  'pending',
  'waiting',
  'waiting_failed',
  'blocked',
  'blocked_failed',
  'unblocked',
  'unblocked_failed',
  'limiting',
  'limited',
  'scheduled',
  'reserved',
  'assigned',
  'accepted',
  'running',
  'finished',
  'canceling',
  'canceled',
  'expired',
  'timing_out',
  'timed_out',
  'skipped',
  'broken',
] as const;
export type JobState = (typeof jobStates)[number];

/** Types of jobs; REST names them script, waiter, manual (block and input) and trigger. */
export const jobTypes = ['command', 'wait', 'block', 'input', 'trigger'] as const;
export type JobType = (typeof jobTypes)[number];

/**
 * Everything that can happen to a job.
 *
 * | event | meaning |
 * |---|---|
 * | wait, block | held behind a wait or dependency; behind a block step (for a block or input job: it is reached) |
 * | wait_failed, block_failed | what it was held by has failed; revived by `wait` or `block` after a retry |
 * | queue, limit, schedule | joins its concurrency group; finds it full; may be offered to an agent |
 * | reserve, assign, accept, acquire, requeue | taken by a stack; offered; taken by the agent; taken without an offer;
 * given back |
 * | start, pass, fail | the agent's start call; the end, with exit status 0 or not (a trigger: of the child build) |
 * | lose_agent | no sign of life from its agent |
 * | time_out, cancel, force_stop | stop requested; `force_stop` ends a job whose agent does not report in time |
 * | stack_finish, stack_error | a stack ended the job without an agent, with exit status 0 or not |
 * | expire, skip, break | never picked up; a reason outside the build; a reason inside the build |
 * | unblock | someone released the block or input |
 */
export const jobEvents = [
  'wait',
  'block',
  'wait_failed',
  'block_failed',
  'queue',
  'limit',
  'schedule',
  'reserve',
  'assign',
  'accept',
  'acquire',
  'requeue',
  'start',
  'pass',
  'fail',
  'lose_agent',
  'stack_finish',
  'stack_error',
  'time_out',
  'cancel',
  'force_stop',
  'expire',
  'skip',
  'break',
  'unblock',
] as const;
export type JobEvent = (typeof jobEvents)[number];

/** States that a job is in because somebody or something stopped it, or is stopping it. */
export const stoppedJobStates: readonly JobState[] = [
  'canceling',
  'canceled',
  'skipped',
  'timing_out',
  'timed_out',
  'expired',
];

/** An agent holds the job: offered to it, taken by it, or being stopped by it. */
export const agentHeldStates = ['assigned', 'accepted', 'running', 'canceling', 'timing_out'] as const;
/** An agent has taken the job and works on it. */
export const agentAcceptedStates: readonly JobState[] = agentHeldStates.filter((state) => state !== 'assigned');
/** Released by the scheduler and in line for an agent. */
export const queuedStates = ['limiting', 'limited', 'scheduled', 'reserved'] as const;
/**
 * Whether the job waits for something outside the scheduler: a concurrency group, an agent, a stack or a triggered
 * build.
 */
export const releasedStates: readonly JobState[] = [...queuedStates, ...agentHeldStates];
/** Jobs that counts and limits see as not ended. Those behind a failure are left out: only a retry revives them. */
export const unfinishedJobStates: readonly JobState[] = [
  'pending',
  'waiting',
  'blocked',
  'unblocked',
  ...releasedStates,
];
/** States with a deadline of minutes that an agent or a stack has to meet. */
export const deadlineStates: readonly JobState[] = ['reserved', ...agentHeldStates];

const undecided = ['pending', 'waiting', 'blocked', 'waiting_failed', 'blocked_failed'] as const;
const heldStates = ['pending', 'waiting', 'blocked'] as const;

function fromOthers(states: readonly JobState[], to: JobState): Moves<JobState> {
  return from(
    states.filter((state) => state !== to),
    to,
  );
}

/** Held states are recomputed on every scheduling pass, so any may follow any other. */
const holding = {
  wait: fromOthers(undecided, 'waiting'),
  block: fromOthers(undecided, 'blocked'),
  wait_failed: fromOthers(undecided, 'waiting_failed'),
  block_failed: fromOthers(undecided, 'blocked_failed'),
  break: from<JobState>(['pending'], 'broken'),
} satisfies Partial<Record<JobEvent, Moves<JobState>>>;

const manual: Partial<Record<JobEvent, Moves<JobState>>> = {
  wait: from<JobState>(['pending', 'blocked', 'blocked_failed'], 'waiting'),
  block: from<JobState>(['pending', 'waiting', 'blocked_failed'], 'blocked'),
  block_failed: from<JobState>(heldStates, 'blocked_failed'),
  unblock: from<JobState>(['blocked'], 'unblocked'),
  cancel: from<JobState>(heldStates, 'canceled'),
  skip: from<JobState>(heldStates, 'skipped'),
  break: holding.break,
};

/**
 * THE transition table of jobs: per type and event, from each legal state the next one. Nothing else in the product
 * decides whether a job may change. Where the sources disagree: `assigned` cancels at once (no process exists
 * yet, its accept is refused), and `broken` never becomes skipped (terminal states never change).
 */
export const jobTransitions: Record<JobType, Partial<Record<JobEvent, Moves<JobState>>>> = {
  command: {
    ...holding,
    queue: from<JobState>(undecided, 'limiting'),
    limit: from<JobState>(['limiting'], 'limited'),
    schedule: from<JobState>([...undecided, 'limiting', 'limited'], 'scheduled'),
    reserve: from<JobState>(['scheduled'], 'reserved'),
    assign: from<JobState>(['scheduled', 'reserved'], 'assigned'),
    accept: from<JobState>(['assigned'], 'accepted'),
    acquire: from<JobState>(['scheduled', 'reserved'], 'accepted'),
    requeue: from<JobState>(['reserved', 'assigned', 'accepted'], 'scheduled'),
    start: from<JobState>(['accepted'], 'running'),
    // A job that ends with status 0 while its timeout is being enforced has passed.
    pass: { running: 'finished', timing_out: 'finished', canceling: 'canceled' },
    fail: { running: 'finished', timing_out: 'timed_out', canceling: 'canceled' },
    lose_agent: {
      ...from<JobState>(['assigned', 'accepted'], 'scheduled'),
      running: 'finished',
      timing_out: 'timed_out',
      canceling: 'canceled',
    },
    stack_finish: from<JobState>(['scheduled', 'reserved'], 'finished'),
    stack_error: from<JobState>(['scheduled', 'reserved'], 'finished'),
    time_out: from<JobState>(['running'], 'timing_out'),
    cancel: {
      ...from<JobState>([...heldStates, ...queuedStates, 'assigned'], 'canceled'),
      ...from<JobState>(['accepted', 'running'], 'canceling'),
    },
    force_stop: { canceling: 'canceled', timing_out: 'timed_out' },
    expire: from<JobState>(queuedStates, 'expired'),
    skip: from<JobState>([...heldStates, ...queuedStates, 'assigned', 'accepted'], 'skipped'),
  },
  wait: {
    wait: from<JobState>(['pending', 'waiting_failed'], 'waiting'),
    wait_failed: from<JobState>(['pending', 'waiting'], 'waiting_failed'),
    pass: from<JobState>(['pending', 'waiting', 'waiting_failed'], 'finished'),
    cancel: from<JobState>(['pending', 'waiting'], 'canceled'),
    skip: from<JobState>(['pending', 'waiting'], 'skipped'),
    break: holding.break,
  },
  block: manual,
  input: manual,
  trigger: {
    ...holding,
    schedule: from<JobState>(undecided, 'scheduled'),
    start: from<JobState>(['scheduled'], 'running'),
    pass: from<JobState>(['scheduled', 'running'], 'finished'),
    fail: from<JobState>(['scheduled', 'running'], 'finished'),
    // No agent runs a trigger job, so it stops at once.
    cancel: from<JobState>([...heldStates, 'scheduled', 'running'], 'canceled'),
    // A child build superseded by a newer one marks its trigger job skipped.
    skip: from<JobState>([...heldStates, 'scheduled', 'running'], 'skipped'),
  },
};

/** Decides one event for one job; the caller applies it with a guard on the state it passed in. */
export function transition(type: JobType, state: JobState, event: JobEvent): Disposition<JobState> {
  return disposition(jobTransitions[type][event], state, event, `A ${type} job`);
}

const terminal = new Set<JobState>([
  'finished',
  'canceled',
  'expired',
  'timed_out',
  'skipped',
  'broken',
  'unblocked',
  'unblocked_failed',
]);
const settled = new Set<JobState>([...terminal, 'waiting_failed', 'blocked_failed']);
const active = new Set<JobState>(agentHeldStates);
const undecidedSet = new Set<JobState>(undecided);
const queuedSet = new Set<JobState>(queuedStates);

/** Whether a state is final; the database refuses to change such a row. */
export const isTerminal = (state: JobState): boolean => terminal.has(state);

/** Whether a job is terminal, or not run because of a failure that a retry may undo. */
export const isSettled = (state: JobState): boolean => settled.has(state);

/** Belongs to an agent now. */
export const isActive = (state: JobState): boolean => active.has(state);

/** Not yet released by the scheduler, which may still move it among the held states. */
export const isUndecided = (state: JobState): boolean => undecidedSet.has(state);

/** Released and in line for an agent. */
export const isQueued = (state: JobState): boolean => queuedSet.has(state);

/** Released and not yet ended: keeps its build from being blocked or finished. */
export const isLive = (state: JobState): boolean => !settled.has(state) && !undecidedSet.has(state);

/** Whether a block or input job may be released now; null for jobs that cannot be unblocked at all. */
export function isUnblockable(type: JobType, state: JobState): boolean | null {
  return type === 'block' || type === 'input' ? state === 'blocked' : null;
}

/** States in which a job may be retried by hand; of `finished` only the failed ones, or passed ones by policy. */
export const isRetryableState = (state: JobState): boolean =>
  state === 'finished' || state === 'timed_out' || state === 'canceled' || state === 'expired';

/** The state word of /v2: `finished` is split, jobs in a concurrency queue are `scheduled`, waiters only ever pass. */
export function restJobState(job: { type: JobType; state: JobState; passed: boolean | null }): string {
  if (job.state === 'finished') return job.passed === true || job.type === 'wait' ? 'passed' : 'failed';
  return job.state === 'limiting' || job.state === 'limited' ? 'scheduled' : job.state;
}
