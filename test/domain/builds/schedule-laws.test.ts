import fc from 'fast-check';
import { isBuildFinished } from '../../../src/domain/builds/build-state.js';
import { isLive, isSettled } from '../../../src/domain/builds/job-state.js';
import { rollup, type RollupJob } from '../../../src/domain/builds/rollup.js';
import type { ScheduledJob, ScheduledStep } from '../../../src/domain/builds/schedule-facts.js';
import { schedule } from '../../../src/domain/builds/schedule.js';
import { Simulator, type Outcome, type SimulatedJob, type StepSpec } from './schedule-simulator.js';

const outcome = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Outcome>(0) },
  { weight: 3, arbitrary: fc.constant<Outcome>(1) },
  { weight: 1, arbitrary: fc.constantFrom<Outcome>('cancel', 'time_out', 'lost') },
);

/** Steps without keys; keys and dependencies on any key, a missing one included, are added later. */
const leaf = fc.record({
  type: fc.constantFrom('command', 'command', 'command', 'wait', 'wait', 'block', 'input', 'trigger'),
  outcomes: fc.array(outcome, { minLength: 1, maxLength: 2 }),
  needs: fc.option(fc.array(fc.record({ to: fc.nat(16), allow: fc.boolean() }), { maxLength: 2 }), {
    nil: undefined,
    freq: 3,
  }),
  allowDependencyFailure: fc.boolean(),
  continueOnFailure: fc.boolean(),
  softFail: fc.boolean(),
  reallyBroken: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
  retries: fc.nat(2),
  limited: fc.integer({ min: 0, max: 5 }).map((value) => value === 0),
  cancelOnBuildFailing: fc.integer({ min: 0, max: 5 }).map((value) => value === 0),
});
type Leaf = typeof leaf extends fc.Arbitrary<infer Value> ? Value : never;
type Shape = Leaf | { group: Leaf[]; needs: Leaf['needs'] } | { uploader: Leaf; uploads: Leaf[][] };

const shape: fc.Arbitrary<Shape> = fc.oneof(
  { weight: 6, arbitrary: leaf },
  {
    weight: 1,
    arbitrary: fc.record({ group: fc.array(leaf, { maxLength: 4 }), needs: leaf.map(({ needs }) => needs) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ uploader: leaf, uploads: fc.array(fc.array(leaf, { maxLength: 3 }), { maxLength: 2 }) }),
  },
);

function toSpecs(shapes: Shape[]): StepSpec[] {
  let next = 0;
  const needsOf = (needs: Leaf['needs']) => needs?.map(({ to, allow }) => `s${to}${allow ? '?' : ''}`);
  const one = (value: Leaf, type = value.type): StepSpec => ({
    name: `s${next++}`,
    type: type as StepSpec['type'],
    children: [],
    outcomes: value.outcomes,
    needs: needsOf(value.needs),
    allowDependencyFailure: value.allowDependencyFailure,
    softFail: value.softFail,
    continueOnFailure: value.continueOnFailure,
    broken: value.reallyBroken,
    cancelOnBuildFailing: value.cancelOnBuildFailing,
    retry: value.retries === 0 ? [] : [{ exitStatus: '*', limit: value.retries }],
    limit: value.limited && type === 'command' ? 1 : undefined,
  });
  return shapes.map((value) => {
    if ('group' in value) {
      const name = `s${next++}`;
      return { name, type: 'group', needs: needsOf(value.needs), children: value.group.map((child) => one(child)) };
    }
    if ('uploader' in value) {
      const uploader = one(value.uploader, 'command');
      return { ...uploader, uploads: value.uploads.map((list) => list.map((child) => one(child))) };
    }
    return one(value);
  });
}

const pipelines = fc.array(shape, { maxLength: 9 }).map(toSpecs);

/** The rule that is broken if this job proceeds now, checked without a graph; null if none is. */
function crossedBarrier(build: Simulator, job: SimulatedJob): string | null {
  const steps = build.steps;
  const own = steps.findIndex(({ id }) => id === job.stepId);
  const step = steps[own] as ScheduledStep;
  const jobsOf = (id: string): ScheduledJob[] => build.jobs.filter(({ stepId, retried }) => stepId === id && !retried);
  const inside = (target: ScheduledStep): ScheduledStep[] => [
    target,
    ...steps.filter(({ groupId }) => groupId === target.id),
  ];
  const absent = (barrier: ScheduledStep): boolean =>
    jobsOf(barrier.id).every(({ state }) => state === 'broken' || state === 'skipped');
  const failed = ({ state, passed, softFailed }: ScheduledJob): boolean =>
    state.endsWith('_failed') ||
    (state === 'finished' && passed !== true && !softFailed) ||
    (['timed_out', 'canceled', 'expired'].includes(state) && !softFailed);
  if (step.dependsOn !== null) {
    for (const dependency of step.dependsOn) {
      const target = steps.find(({ key }) => key === dependency.step);
      if (target === undefined) return `missing ${dependency.step}`;
      for (const other of inside(target).flatMap(({ id }) => jobsOf(id))) {
        if (!isSettled(other.state)) return `${dependency.step} has not ended`;
        const allowed =
          dependency.allowFailure || step.allowDependencyFailure || (step.type === 'wait' && step.continueOnFailure);
        if (failed(other) && (!allowed || other.state === 'canceled')) return `${dependency.step} is ${other.state}`;
      }
    }
    return null;
  }
  const before = steps.slice(0, own).filter(({ groupId }) => groupId === step.groupId);
  for (const barrier of before) {
    if (barrier.type !== 'wait' && barrier.type !== 'block') continue;
    const stopped = jobsOf(barrier.id).find(
      ({ state }) => !['finished', 'unblocked', 'broken', 'skipped'].includes(state),
    );
    if (stopped !== undefined && !(stopped.state === 'canceled' && stopped.softFailed))
      return `behind a ${barrier.type} in ${stopped.state}`;
  }
  if ((step.type !== 'wait' && step.type !== 'block') || absent(step)) return null;
  for (const other of before.flatMap(inside).flatMap(({ id }) => jobsOf(id))) {
    if (!isSettled(other.state)) return 'an earlier job has not ended';
    const mayFail =
      step.type === 'wait' && step.continueOnFailure && other.state !== 'canceled' && other.state !== 'expired';
    if (failed(other) && !mayFail) return `an earlier job is ${other.state}`;
  }
  return null;
}

/** Runs a build to its end, people releasing every block, with the choices taken from `seed`. */
function play(specs: StepSpec[], seed: number): Simulator {
  const build = new Simulator(specs);
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  build.onChange = (change, job) => {
    const goesOn =
      ['scheduled', 'limiting', 'finished'].includes(change.to) ||
      (change.to === 'blocked' && change.reason === 'reached');
    const problem = goesOn ? crossedBarrier(build, job) : null;
    if (problem !== null) throw new Error(`${job.name} became ${change.to}: ${problem}`);
  };
  for (let round = 0; round < 100; round++) {
    build.run((jobs) => {
      expect(
        build.jobs.filter(({ spec, state: at }) => spec.limit !== undefined && isLive(at) && !at.startsWith('limit'))
          .length,
      ).toBeLessThanOrEqual(1);
      return jobs[random(jobs.length)] as SimulatedJob;
    });
    const reached = build.jobs.filter(
      (job) => job.state === 'blocked' && (job.type === 'block' || job.type === 'input'),
    );
    expect(build.build.blocked).toBe(reached.length > 0);
    if (reached.length === 0) return build;
    build.unblock((reached[random(reached.length)] as SimulatedJob).name);
  }
  throw new Error('blocks without end');
}

describe('scheduling any pipeline', () => {
  test('every build ends, crosses no barrier, and changes no job that has ended (I4, I8, I9)', () => {
    fc.assert(
      fc.property(pipelines, fc.nat(), (specs, seed) => {
        const build = play(specs, seed);
        expect(
          build.jobs.filter(({ state }) => !isSettled(state)).map(({ name, state }) => `${name} ${state}`),
        ).toEqual([]);
        expect(['passed', 'failed', 'not_run']).toContain(build.build.state);
      }),
      { numRuns: 400 },
    );
  });

  test('a cancel at any moment ends the build as soon as its agents report', () => {
    fc.assert(
      fc.property(pipelines, fc.nat(6), (specs, moment) => {
        const build = new Simulator(specs);
        for (let index = 0; index < moment; index++) {
          build.admit();
          const job = build.runnable()[0] ?? build.jobs.find(({ state }) => state === 'running');
          if (job?.state === 'scheduled') build.start(job);
          else if (job !== undefined) build.finish(job);
        }
        fc.pre(!isBuildFinished(build.build.state));
        build.cancelBuild();
        for (const job of build.jobs.filter(({ state }) => state === 'canceling')) build.finish(job, -1);
        expect(build.build.state).toBe('canceled');
        expect(build.jobs.every(({ state }) => isSettled(state))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('retrying everything that failed leads to a legal build again', () => {
    fc.assert(
      fc.property(pipelines, fc.nat(), (specs, seed) => {
        const build = play(specs, seed);
        for (const { name } of build.jobs.filter(
          (job) => !job.retried && job.type === 'command' && job.state === 'finished' && job.passed === false,
        )) {
          build.retry(name);
        }
        build.run();
        expect(['passed', 'failed', 'blocked', 'not_run']).toContain(build.build.state);
      }),
      { numRuns: 200 },
    );
  });

  test('the state of a build does not depend on the order of its jobs (I5)', () => {
    fc.assert(
      fc.property(pipelines, fc.nat(), fc.integer({ min: 0, max: 20 }), fc.gen(), (specs, seed, turns, gen) => {
        const build = new Simulator(specs);
        for (let index = 0; index < turns; index++) {
          const job = build.runnable()[seed % 3] ?? build.jobs.find(({ state }) => state === 'running');
          if (job?.state === 'scheduled') build.start(job);
          else if (job !== undefined) build.finish(job);
        }
        const blockedState = new Map(build.steps.map((step) => [step.id, step.blockedState]));
        const jobs: RollupJob[] = build.jobs.map((job) => ({
          ...job,
          blockedState: blockedState.get(job.stepId) ?? null,
        }));
        const shuffled = gen(() => fc.shuffledSubarray(jobs, { minLength: jobs.length }));
        const expected = rollup(jobs, build.build);
        expect(rollup(shuffled, build.build)).toEqual(expected);
        expect(build.build).toMatchObject(expected);
      }),
      { numRuns: 200 },
    );
  });
});

test('a build of 4,000 jobs with 800 waits and long dependency chains is scheduled', () => {
  const steps: ScheduledStep[] = [];
  const jobs: ScheduledJob[] = [];
  for (let index = 0; index < 4000; index++) {
    const type = index % 5 === 4 ? 'wait' : 'command';
    steps.push({
      id: `${index}`,
      key: `k${index}`,
      type,
      groupId: null,
      allowDependencyFailure: false,
      continueOnFailure: false,
      dependsOn: index % 3 === 1 ? [{ step: `k${index - 1}`, allowFailure: false }] : null,
      blockedState: null,
      softFail: false,
      uploadedByStepId: null,
    });
    jobs.push({
      id: `${index}`,
      stepId: `${index}`,
      type,
      state: 'pending',
      passed: null,
      softFailed: false,
      retried: false,
      started: false,
      hasConcurrency: false,
      promisedFailure: false,
      cancelOnBuildFailing: false,
    });
  }
  const facts = {
    build: { state: 'creating' as const, failing: false, cancelRequested: false, skipRequested: false },
    steps,
    jobs,
  };
  expect(schedule(facts).jobs).toHaveLength(4000);
});
