import { buildEventBetween, type BuildState } from '../../../src/domain/builds/build-state.js';
import { slotHoldingStates } from '../../../src/domain/agents/concurrency.js';
import { isTerminal, type JobEvent, type JobState, transition } from '../../../src/domain/builds/job-state.js';
import { rollup } from '../../../src/domain/builds/rollup.js';
import { schedule } from '../../../src/domain/builds/schedule.js';
import type { BuildRow, JobRow } from '../../../src/entities/database.js';
import { scheduleFacts, stepDefinition } from '../../../src/engine/builds/load-facts.js';
import { crossedBarriers } from './barriers.js';
import type { BuildFacts } from './facts.js';

/** What contradicts the promises, in words; empty where all is well. */
export function violations(all: readonly BuildFacts[]): string[] {
  return [
    ...numbersOutOfOrder(all.map(({ build }) => build)),
    ...groupsAboveLimit(all.flatMap(({ jobs }) => jobs)),
    ...brokenRetryChains(all.flatMap(({ jobs }) => jobs)),
    ...all.flatMap((facts) => ofBuild(facts).map((text) => `build ${facts.build.number} (${facts.build.id}): ${text}`)),
  ];
}

function ofBuild(facts: BuildFacts): string[] {
  return [
    ...sequenceGaps(facts),
    ...jobHistory(facts),
    ...buildHistory(facts),
    ...wrongRollup(facts),
    ...undecidedWork(facts),
    ...crossedBarriers(facts).map((text) => `I9 ${text}`),
    ...negativeDurations(facts),
  ];
}

/** I3. Ids are made in time order, and one process makes them all here. */
function numbersOutOfOrder(builds: readonly BuildRow[]): string[] {
  const last = new Map<string, number>();
  return builds
    .toSorted((a, b) => a.number - b.number)
    .flatMap(({ pipelineId, number }) => {
      const before = last.get(pipelineId) ?? 0;
      last.set(pipelineId, number);
      return number > before ? [] : [`I3 number ${number} of pipeline ${pipelineId} is given twice`];
    });
}

/** I8: slots held against the limit that every member of a group has. */
function groupsAboveLimit(jobs: readonly JobRow[]): string[] {
  const held = new Map<string, JobRow[]>();
  for (const job of jobs)
    if (job.concurrencyGroup !== null && slotHoldingStates.includes(job.state))
      held.set(job.concurrencyGroup, [...(held.get(job.concurrencyGroup) ?? []), job]);
  return [...held].flatMap(([group, members]) =>
    members.length > Math.max(...members.map(({ concurrencyLimit }) => concurrencyLimit ?? 1))
      ? [`I8 ${members.length} slots of ${group} are held`]
      : [],
  );
}

/** I14, and the counter along the chain (I12). */
function brokenRetryChains(jobs: readonly JobRow[]): string[] {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  return jobs.flatMap((job) => {
    const wrong: string[] = [];
    const source = job.retrySourceId === null ? undefined : byId.get(job.retrySourceId);
    if (job.retrySourceId !== null && source?.retriedInJobId !== job.id)
      wrong.push(`I14 job ${job.id} retries ${job.retrySourceId}, which was retried in ${source?.retriedInJobId}`);
    if (job.retried !== (job.retriedInJobId !== null)) wrong.push(`I14 job ${job.id} is retried and has no retry`);
    if (job.retried && !isTerminal(job.state)) wrong.push(`I14 job ${job.id} was retried while ${job.state}`);
    if ((job.retriesCount ?? 0) !== (source ? (source.retriesCount ?? 0) + 1 : 0))
      wrong.push(`I12 job ${job.id} counts ${job.retriesCount} retries`);
    return wrong;
  });
}

/** I10: numbered from one to the build's counter. */
function sequenceGaps({ build, events }: BuildFacts): string[] {
  const wrong = events.findIndex(({ sequence }, index) => sequence !== index + 1);
  if (wrong >= 0) return [`I10 event ${wrong + 1} has the number ${events[wrong]?.sequence}`];
  return build.eventSequence === events.length
    ? []
    : [`I10 ${events.length} events, the counter says ${build.eventSequence}`];
}

/** I4 and I10: each job's events are legal moves, one after the other, up to the state it has. */
function jobHistory({ jobs, events }: BuildFacts): string[] {
  return jobs.flatMap((job) => {
    const wrong: string[] = [];
    let state: JobState = job.state === 'broken' ? 'broken' : 'pending';
    for (const event of events) {
      if (
        event.jobId !== job.id ||
        event.subject !== 'job' ||
        event.toState === null ||
        event.toState === event.fromState
      )
        continue;
      const name = event.type.replace('job.', '') as JobEvent;
      const move = transition(job.type, event.fromState as JobState, name);
      if (event.fromState !== state)
        wrong.push(`I10 job ${job.id}: ${event.type} starts from ${event.fromState}, it was ${state}`);
      if (isTerminal(state) && job.state !== 'broken')
        wrong.push(`I4 job ${job.id} was ${state} and became ${event.toState}`);
      if (move.kind !== 'moved' || move.to !== event.toState)
        wrong.push(`I4 job ${job.id}: ${event.type} from ${event.fromState} to ${event.toState} is no legal move`);
      if (event.actorType === 'user' && event.actorId === null)
        wrong.push(`I4 job ${job.id}: ${event.type} has no actor`);
      state = event.toState as JobState;
    }
    if (state !== job.state) wrong.push(`I10 job ${job.id} is ${job.state}, its events end with ${state}`);
    if (isTerminal(job.state) !== (job.finishedAt !== null))
      wrong.push(`I4 job ${job.id} is ${job.state} and finished at ${job.finishedAt?.toISOString()}`);
    return wrong;
  });
}

function buildHistory({ build, events }: BuildFacts): string[] {
  const wrong: string[] = [];
  let state: string | null = null;
  for (const event of events) {
    if (event.subject !== 'build' || event.toState === null || event.toState === event.fromState) continue;
    if (state !== null && event.fromState !== state)
      wrong.push(`I10 ${event.type} starts from ${event.fromState}, it was ${state}`);
    if (
      event.fromState !== null &&
      buildEventBetween(event.fromState as BuildState, event.toState as BuildState) === null
    )
      wrong.push(`I4 ${event.type} from ${event.fromState} to ${event.toState} is no legal move`);
    state = event.toState;
  }
  return state === build.state ? wrong : [...wrong, `I10 the build is ${build.state}, its events end with ${state}`];
}

/** I5. */
function wrongRollup({ build, steps, jobs }: BuildFacts): string[] {
  const definitions = new Map(steps.map((step) => [step.id, stepDefinition(step)]));
  const counted = jobs.map((job) => {
    const definition = definitions.get(job.stepId);
    return {
      ...job,
      started: job.startedAt !== null,
      promisedFailure: job.promisedExitStatus !== null,
      passed: job.state === 'finished' ? job.passed : null,
      blockedState: definition?.type === 'block' || definition?.type === 'input' ? definition.blockedState : null,
    };
  });
  const { state, failing, blockedState } = rollup(counted, {
    cancelRequested: build.cancelRequestedAt !== null,
    skipRequested: build.state === 'skipped',
  });
  const expected = JSON.stringify({ state, failing, blockedState });
  const stored = JSON.stringify({ state: build.state, failing: build.failing, blockedState: build.blockedState });
  return expected === stored
    ? []
    : [
        `I5 stored ${stored}, recomputed ${expected} of ${JSON.stringify(jobs.map((job) => [job.type, job.state, job.retried]))}`,
      ];
}

/** The scheduler, asked again, has nothing to change: nobody forgot to ask it. */
function undecidedWork({ build, steps, jobs }: BuildFacts): string[] {
  const { jobs: changes } = schedule(scheduleFacts({ build, steps, jobs }, build.state === 'skipped'));
  return changes.length === 0 ? [] : [`I6 the scheduler was not asked: ${JSON.stringify(changes)}`];
}

/** I20. */
function negativeDurations({ build, jobs }: BuildFacts): string[] {
  const inOrder = (times: (Date | null)[]) =>
    times.filter((time) => time !== null).every((time, index, all) => index === 0 || time >= (all[index - 1] ?? time));
  const wrong = jobs.filter(
    (job) => !inOrder([job.createdAt, job.runnableAt, job.assignedAt, job.acceptedAt, job.startedAt, job.finishedAt]),
  );
  return [
    ...(inOrder([build.createdAt, build.startedAt, build.finishedAt]) ? [] : ['I20 the build ended before it began']),
    ...wrong.map((job) => `I20 job ${job.id} (${job.type}, ${job.state}) went back in time`),
  ];
}
