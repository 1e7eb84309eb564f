import { bad, block, c, group, input, Simulator, trigger, wait, waitOn, type StepSpec } from './schedule-simulator.js';

interface Scenario {
  /** Number of the scenario in the table that this product's scheduling was first specified by. */
  no?: number;
  story: string;
  steps: StepSpec[];
  /** Done after the build has come to rest, each followed by running it to rest again. */
  then?: (build: Simulator) => void;
  started: string[];
  build: string;
  states?: Record<string, string>;
}

const softAlways = [{ exitStatus: '*' as const }];

const scenarios: Scenario[] = [
  {
    no: 1,
    story: 'a plain wait after a failure stops even a later wait that continues',
    steps: [bad('c'), wait(), c('c2'), waitOn(), c('c3')],
    started: ['c'],
    build: 'failed',
    states: { wait: 'waiting_failed', c2: 'waiting_failed', 'wait on': 'waiting_failed', c3: 'waiting_failed' },
  },
  {
    no: 2,
    story: 'consecutive continuing waits all run',
    steps: [bad('c'), waitOn('w1'), c('c2'), c('c3'), waitOn('w2'), c('c4')],
    started: ['c', 'c2', 'c3', 'c4'],
    build: 'failed',
    states: { w1: 'passed', w2: 'passed' },
  },
  {
    no: 3,
    story: 'a plain wait after a continuing one still sees the old failure',
    steps: [bad('c'), waitOn(), c('c2'), wait(), c('c3')],
    started: ['c', 'c2'],
    build: 'failed',
    states: { c3: 'waiting_failed' },
  },
  {
    no: 4,
    story: 'a continuing wait does not continue after a canceled job',
    steps: [c('c', { outcomes: ['cancel'] }), waitOn(), c('c2')],
    started: ['c'],
    build: 'failed',
    states: { c: 'canceled', c2: 'waiting_failed' },
  },
  {
    no: 5,
    story: 'a soft failure reaches the block',
    steps: [bad('c', { softFail: softAlways }), block('b')],
    started: ['c'],
    build: 'blocked',
    states: { b: 'blocked', c: 'failed' },
  },
  {
    no: 6,
    story: 'a continuing wait beside a block is ignored, the block not reached',
    steps: [bad('c'), waitOn(), block('b')],
    started: ['c'],
    build: 'failed',
    states: { 'wait on': 'waiting_failed', b: 'blocked_failed' },
  },
  {
    story: 'nor does a continuing wait after the block open',
    steps: [bad('c'), block('b'), waitOn(), c('c2')],
    started: ['c'],
    build: 'failed',
    states: { b: 'blocked_failed', 'wait on': 'waiting_failed' },
  },
  {
    no: 7,
    story: 'a wait beside a block is ignored, the block waits',
    steps: [c('c'), wait(), block('b'), c('c2')],
    started: ['c'],
    build: 'blocked',
    states: { wait: 'passed', b: 'blocked', c2: 'blocked' },
  },
  {
    no: 8,
    story: 'a dependency that failed',
    steps: [bad('a'), c('b', { needs: ['a'] })],
    started: ['a'],
    build: 'failed',
    states: { b: 'waiting_failed' },
  },
  {
    no: 9,
    story: 'allow_dependency_failure runs, the build still fails',
    steps: [bad('a'), c('b', { needs: ['a'], allowDependencyFailure: true })],
    started: ['a', 'b'],
    build: 'failed',
  },
  {
    no: 10,
    story: 'a dependency broken by its condition is satisfied',
    steps: [c('a', { broken: true }), c('b', { needs: ['a'] })],
    started: ['b'],
    build: 'passed',
  },
  {
    no: 11,
    story: 'allow_failure covers a dependency that did not run',
    steps: [bad('a'), c('b', { needs: ['a'] }), c('c', { needs: ['b?'] })],
    started: ['a', 'c'],
    build: 'failed',
    states: { b: 'waiting_failed', c: 'passed' },
  },
  {
    no: 12,
    story: 'a soft exit status satisfies',
    steps: [c('a', { outcomes: [42], softFail: [{ exitStatus: 42 }] }), c('b', { needs: ['a'] })],
    started: ['a', 'b'],
    build: 'passed',
  },
  {
    no: 12,
    story: 'another exit status does not',
    steps: [c('a', { outcomes: [41], softFail: [{ exitStatus: 42 }] }), c('b', { needs: ['a'] })],
    started: ['a'],
    build: 'failed',
    states: { b: 'waiting_failed' },
  },
  {
    no: 13,
    story: 'an explicitly empty dependency runs at once',
    steps: [c('c'), wait(), c('lint', { needs: [] }), c('d')],
    started: ['c', 'lint', 'd'],
    build: 'passed',
  },
  {
    no: 14,
    story: 'a dependency on a missing key fails the build',
    steps: [c('a'), c('b', { needs: ['nope'] })],
    started: ['a'],
    build: 'failed',
    states: { b: 'waiting_failed' },
  },
  {
    no: 14,
    story: 'even where failures are allowed',
    steps: [c('b', { needs: ['nope?'] })],
    started: [],
    build: 'failed',
  },
  {
    story: 'a key that is uploaded later is not missing',
    steps: [c('b', { needs: ['late'] }), c('u', { uploads: [[c('late')]] })],
    started: ['u', 'late', 'b'],
    build: 'passed',
  },
  {
    story: 'steps that wait for each other fail the build',
    steps: [c('a', { needs: ['b'] }), c('b', { needs: ['a'] }), c('d', { needs: ['b?'] })],
    started: ['d'],
    build: 'failed',
    states: { a: 'waiting_failed', b: 'waiting_failed' },
  },
  {
    no: 15,
    story: 'nothing to run',
    steps: [c('a', { broken: true }), wait(), c('b', { broken: true })],
    started: [],
    build: 'not_run',
  },
  {
    no: 16,
    story: 'a wait covers uploaded steps, recursively',
    steps: [c('a', { uploads: [[c('b1', { uploads: [[c('b11')]] }), c('b2')]] }), wait(), c('c')],
    started: ['a', 'b1', 'b2', 'b11', 'c'],
    build: 'passed',
  },
  {
    no: 18,
    story: 'waits inside groups order only their group',
    steps: [group('g1', [c('1'), wait('w1'), c('2')]), group('g2', [c('3'), wait('w2'), c('4')])],
    started: ['1', '3', '2', '4'],
    build: 'passed',
  },
  {
    story: 'a wait between groups orders both',
    steps: [group('g1', [c('1'), c('2')]), wait(), group('g2', [c('3')])],
    started: ['1', '2', '3'],
    build: 'passed',
    states: { wait: 'passed' },
  },
  {
    story: 'a group key is the whole group',
    steps: [group('g', [c('1'), wait(), bad('2')]), c('3', { needs: ['g'] })],
    started: ['1', '2'],
    build: 'failed',
    states: { 3: 'waiting_failed' },
  },
  {
    story: 'a group waits for its own dependencies, its children too',
    steps: [c('0'), group('g', [c('1'), c('2', { needs: [] })], { needs: ['0'] })],
    started: ['0', '1', '2'],
    build: 'passed',
  },
  {
    story: 'a failed group dependency with allowance',
    steps: [bad('0'), group('g', [c('1')], { needs: ['0'], allowDependencyFailure: true })],
    started: ['0', '1'],
    build: 'failed',
  },
  {
    story: 'a dependency on an uploading step extends to its uploads',
    started: ['u', 'x', 'y', 'after'],
    build: 'passed',
    steps: [c('u', { uploads: [[c('x', { uploads: [[c('y')]] })]] }), c('after', { needs: ['u'] })],
  },
  {
    story: 'an uploaded step may depend on its uploader and its siblings',
    started: ['u', 'y', 'x'],
    build: 'passed',
    steps: [c('u', { uploads: [[c('x', { needs: ['u', 'y'] }), c('y', { needs: ['u'] })]] })],
  },
  {
    story: 'with explicit dependencies around, uploads wait for their uploader',
    started: ['u', 'z'],
    build: 'failed',
    steps: [bad('u', { uploads: [[c('x')]] }), c('z', { needs: [] })],
    states: { x: 'waiting_failed' },
  },
  {
    story: 'a continuing wait of a failed upload lets its cleanup run',
    started: ['u', 'z', 'cleanup'],
    build: 'failed',
    steps: [bad('u', { uploads: [[c('x'), waitOn(), c('cleanup')]] }), c('z', { needs: [] })],
    states: { x: 'waiting_failed' },
  },
  {
    story: 'without explicit dependencies, uploads start while their uploader runs',
    started: ['u', 'x'],
    build: 'running',
    steps: [c('u', { outcomes: ['never'], uploads: [[c('x')]] })],
    states: { x: 'passed' },
  },
  {
    story: 'a block broken by its condition does not silence the wait beside it',
    started: ['a', 'b'],
    build: 'failed',
    steps: [bad('a'), waitOn(), block('k', { broken: true }), c('b')],
  },
  {
    story: 'blocked as far as dependencies reach',
    steps: [block('k'), c('a'), c('b', { needs: ['a'] }), c('d', { needs: ['b'] })],
    started: [],
    build: 'blocked',
    states: { a: 'blocked', b: 'blocked', d: 'blocked' },
  },
  {
    story: 'a canceled dependency stops even allowed failures',
    steps: [c('a', { outcomes: ['cancel'] }), c('b', { needs: ['a?'] })],
    started: ['a'],
    build: 'failed',
    states: { b: 'waiting_failed' },
  },
  {
    no: 21,
    story: 'two automatic retries, then failed',
    steps: [bad('a', { retry: [{ exitStatus: '*', limit: 2 }] }), wait(), c('b')],
    started: ['a', 'a', 'a'],
    build: 'failed',
  },
  {
    no: 20,
    story: 'the first matching rule decides alone',
    started: ['a', 'a', 'a'],
    build: 'failed',
    steps: [
      c('a', {
        outcomes: [5],
        retry: [
          { exitStatus: [5], limit: 2 },
          { exitStatus: '*', limit: 4 },
        ],
      }),
    ],
  },
  {
    no: 21,
    story: 'a retry that passes',
    steps: [c('a', { outcomes: [1, 0], retry: [{ exitStatus: '*', limit: 2 }] }), wait(), c('b')],
    started: ['a', 'a', 'b'],
    build: 'passed',
  },
  {
    no: 27,
    story: 'parallel jobs all count',
    steps: [c('p', { parallel: 5 }), wait(), c('b')],
    started: ['p0', 'p1', 'p2', 'p3', 'p4', 'b'],
    build: 'passed',
  },
  {
    no: 28,
    story: 'a job broken by its branches leaves the build alone',
    steps: [c('a', { broken: true }), c('b')],
    started: ['b'],
    build: 'passed',
    states: { a: 'broken' },
  },
  {
    no: 29,
    story: 'a block is released',
    steps: [c('a'), block('b'), c('d')],
    then: (build) => build.unblock('b'),
    started: ['a', 'd'],
    build: 'passed',
    states: { b: 'unblocked' },
  },
  {
    no: 30,
    story: 'a trigger job counts as what became of it',
    steps: [trigger('t'), wait(), c('a')],
    started: ['t', 'a'],
    build: 'passed',
  },
  {
    no: 35,
    story: 'a canceled job fails the build',
    steps: [c('a', { outcomes: ['cancel'] }), c('b')],
    started: ['a', 'b'],
    build: 'failed',
    states: { a: 'canceled' },
  },
  {
    no: 35,
    story: 'unless it fails softly',
    steps: [c('a', { outcomes: ['cancel'], softFail: true }), wait(), c('b')],
    started: ['a', 'b'],
    build: 'passed',
    states: { a: 'canceled' },
  },
  { story: 'a leading block', steps: [block('b'), c('a')], started: [], build: 'blocked', states: { a: 'blocked' } },
  {
    story: 'a last block, released',
    steps: [c('a'), block('b')],
    then: (build) => build.unblock('b'),
    started: ['a'],
    build: 'passed',
  },
  {
    story: 'an input orders nothing but keeps the build open',
    steps: [input('i'), c('a')],
    started: ['a'],
    build: 'blocked',
    states: { i: 'blocked' },
  },
  {
    story: 'a block with its own dependencies does not wait for what stands before it',
    started: ['a'],
    build: 'running',
    steps: [c('a', { outcomes: ['never'] }), block('b', { needs: [] }), c('d')],
    states: { b: 'blocked', d: 'blocked' },
  },
  { story: 'only waits', steps: [wait()], started: [], build: 'not_run' },
  {
    story: 'a wait broken by its condition orders nothing',
    steps: [bad('a'), wait('w', { broken: true }), c('b')],
    started: ['a', 'b'],
    build: 'failed',
  },
  {
    story: 'a continuing wait depends explicitly',
    steps: [bad('a'), bad('x'), wait('w', { needs: ['a'], continueOnFailure: true }), c('b')],
    started: ['a', 'x', 'b'],
    build: 'failed',
  },
];

describe('scheduling scenarios', () => {
  test.each(
    scenarios.map(
      (scenario) =>
        [scenario.no === undefined ? scenario.story : `${scenario.story} (scenario ${scenario.no})`, scenario] as const,
    ),
  )('build scheduling: %s', (_, scenario) => {
    const build = new Simulator(scenario.steps).run();
    if (scenario.then !== undefined) {
      scenario.then(build);
      build.run();
    }
    expect(build.build.state).toBe(scenario.build);
    expect(build.started).toEqual(scenario.started);
    expect(build.states()).toMatchObject(scenario.states ?? {});
  });
});
