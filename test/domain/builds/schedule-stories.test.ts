import { bad, block, c, group, input, Simulator, trigger, wait } from './schedule-simulator.js';

/** A build whose startable jobs have been started and have not ended. */
function begun(...args: ConstructorParameters<typeof Simulator>): Simulator {
  const build = new Simulator(...args);
  for (const job of build.runnable()) build.start(job);
  return build;
}

describe('a build before anything runs', () => {
  test('ready jobs are scheduled, jobs with concurrency join their queue, and other jobs are held', () => {
    const build = new Simulator([c('a'), c('l', { limit: 1 }), wait(), c('b'), block('k'), c('d'), wait('w2'), c('e')]);
    expect(build.jobs.map(({ state }) => state)).toEqual([
      'scheduled',
      'limiting',
      'waiting',
      'waiting',
      'waiting',
      'blocked',
      'waiting',
      'blocked',
    ]);
    expect(build.build).toMatchObject({ state: 'scheduled', blocked: false, failing: false });
  });

  test('a build without any jobs becomes not_run', () => {
    expect(new Simulator([]).build.state).toBe('not_run');
    expect(new Simulator([group('g', [])]).build.state).toBe('not_run');
  });

  test('a build canceled before its start is canceled without a canceling phase', () => {
    const build = new Simulator([c('a'), wait(), c('b'), block('k')]);
    build.cancelBuild();
    expect(new Set(Object.values(build.states()))).toEqual(new Set(['canceled']));
    expect(build.history).toEqual(['creating', 'scheduled', 'canceled']);
  });

  test('a build superseded by a newer one is skipped', () => {
    const build = new Simulator([c('a'), wait(), c('b', { limit: 1 }), trigger('t')]);
    build.skipBuild();
    expect(new Set(Object.values(build.states()))).toEqual(new Set(['skipped']));
    expect(build.history).toEqual(['creating', 'scheduled', 'skipped']);
  });
});

describe('a failure while other jobs run', () => {
  test('the build is failing until the last job ends', () => {
    const build = begun([c('a'), c('b'), wait(), c('d')]);
    build.finish(build.job('a'), 1);
    expect(build.build).toMatchObject({ state: 'failing', failing: true });
    expect(build.states()['d']).toBe('waiting');
    build.finish(build.job('b'), 0);
    expect(build.states()['d']).toBe('waiting_failed');
    expect(build.history).toEqual(['creating', 'scheduled', 'running', 'failing', 'failed']);
  });

  test('a failure that is retried automatically does not make the build failing', () => {
    const build = begun([c('a', { retry: [{ exitStatus: '*', limit: 1 }] }), c('b', { cancelOnBuildFailing: true })]);
    build.finish(build.job('a'), 1);
    expect(build.build.state).toBe('running');
    expect(build.states()['b']).toBe('running');
  });

  test('a manual retry makes a failing build pass and revives jobs that were not run', () => {
    const build = begun([c('a'), c('b'), c('d', { needs: ['a'] })]);
    build.finish(build.job('a'), 1);
    expect(build.states()['d']).toBe('waiting_failed');
    build.retry('a');
    expect(build.states()).toMatchObject({ a: 'scheduled', d: 'waiting' });
    expect(build.build).toMatchObject({ state: 'running', failing: false });
    build.run();
    expect(build.history).toEqual(['creating', 'scheduled', 'running', 'failing', 'running', 'passed']);
  });

  test('a retry reopens a finished build, also one in which no job had started', () => {
    const build = new Simulator([c('a'), wait(), c('b')]);
    build.expire('a');
    expect(build.build.state).toBe('failed');
    build.retry('a');
    expect(build.states()['b']).toBe('waiting');
    expect(build.run().history).toEqual(['creating', 'scheduled', 'failed', 'running', 'passed']);
  });

  test('jobs with cancel_on_build_failing are canceled, at once or by their agent', () => {
    const build = begun([
      c('a'),
      c('b', { cancelOnBuildFailing: true }),
      c('n'),
      wait(),
      c('d', { cancelOnBuildFailing: true, softFail: true }),
    ]);
    build.finish(build.job('a'), 1);
    expect(build.states()).toMatchObject({ b: 'canceling', n: 'running', d: 'canceled' });
    expect(build.job('d').softFailed).toBe(true);
    build.finish(build.job('b'), -1);
    build.finish(build.job('n'), 0);
    expect(build.states()).toMatchObject({ b: 'canceled', n: 'passed' });
    expect(build.build.state).toBe('failed');
  });

  test('a retried job with cancel_on_build_failing is not canceled in a build that was failing before', () => {
    const build = begun([c('a'), c('b', { cancelOnBuildFailing: true }), c('n', { outcomes: ['never'] })]);
    build.finish(build.job('a'), 1);
    build.finish(build.job('b'), -1);
    build.retry('b');
    expect(build.states()['b']).toBe('scheduled');
  });

  test('a promised failure fails the build at once, and exit status 0 does not undo it', () => {
    const build = begun([c('a', { softFail: true }), c('b'), wait(), c('d')]);
    build.promiseFailure('a');
    expect(build.build.state).toBe('failing');
    build.finish(build.job('a'), 0);
    build.finish(build.job('b'), 0);
    expect(build.states()['d']).toBe('waiting_failed');
    expect(build.build.state).toBe('failed');
  });

  test('a job that reports exit status 0 after its timeout passes, and with any other status it times out', () => {
    const build = begun([c('a'), c('b')]);
    build.finish(build.job('b'), 'time_out');
    expect(build.job('b').state).toBe('timed_out');
    expect(build.build.state).toBe('failing');
  });

  test('an expired job fails the build', () => {
    const build = new Simulator([c('a'), c('b', { needs: ['a?'] })]);
    build.expire('a');
    expect(build.states()['b']).toBe('waiting_failed');
    expect(build.build.state).toBe('failed');
  });
});

describe('canceling a build', () => {
  test('canceling ends waiting jobs at once, stops running jobs, and cancels the build last', () => {
    const build = begun([c('a'), trigger('t'), wait(), c('b'), block('k'), c('d')]);
    build.cancelBuild();
    expect(build.states()).toEqual({
      a: 'canceling',
      t: 'canceled',
      wait: 'canceled',
      b: 'canceled',
      k: 'canceled',
      d: 'canceled',
    });
    expect(build.build.state).toBe('canceling');
    build.finish(build.job('a'), 0);
    expect(build.states()['a']).toBe('canceled');
    expect(build.history.slice(-2)).toEqual(['canceling', 'canceled']);
  });

  test('a blocked build can be canceled', () => {
    const build = new Simulator([c('a'), block('k'), c('d')]).run();
    expect(build.build.state).toBe('blocked');
    build.cancelBuild();
    expect(build.build.state).toBe('canceled');
    expect(build.states()).toEqual({ a: 'passed', k: 'canceled', d: 'canceled' });
  });

  test('a matrix adjustment can make the failure of one job soft', () => {
    const build = new Simulator([c('p', { parallel: 2 })]);
    build.job('p1').softFail = true;
    build.cancelBuild();
    expect([build.job('p0').softFailed, build.job('p1').softFailed]).toEqual([false, true]);
  });

  test('steps uploaded into a build that is being canceled never run', () => {
    const build = begun([c('a')]);
    build.cancelBuild();
    build.upload(build.job('a'), [c('late')]);
    build.decide();
    expect(build.states()['late']).toBe('canceled');
  });
});

describe('blocks and inputs', () => {
  test('a build is blocked only when no other job can progress, and shows the state of its block step', () => {
    const build = begun([c('a'), block('k', { needs: [], blockedState: 'running' })]);
    expect(build.build).toMatchObject({ state: 'running', blocked: false, blockedState: null });
    build.finish(build.job('a'), 0);
    expect(build.build).toMatchObject({ state: 'blocked', blocked: true, blockedState: 'running' });
    build.unblock('k');
    expect(build.build).toMatchObject({ state: 'passed', blocked: false });
  });

  test('a build with several blocks shows the worst block state, and a failure is never shown as passed', () => {
    const kept = (...states: ('passed' | 'running' | 'failed')[]) =>
      new Simulator(states.map((state, index) => input(`i${index}`, { blockedState: state }))).build.blockedState;
    expect(kept('passed', 'running')).toBe('running');
    expect(kept('running', 'failed', 'passed')).toBe('failed');
    expect(new Simulator([input('i'), bad('a')]).run().build).toMatchObject({
      state: 'blocked',
      blockedState: 'failed',
    });
  });

  test('steps behind a block that is not released hold no place in a concurrency queue, however far behind', () => {
    const build = new Simulator([block('k'), c('a'), wait(), c('b', { limit: 1 })]);
    expect(build.states()).toMatchObject({ a: 'blocked', b: 'blocked' });
    build.unblock('k');
    expect(build.states()).toMatchObject({ a: 'scheduled', b: 'waiting' });
    expect(build.history.slice(-2)).toEqual(['blocked', 'running']);
  });

  test('a step with explicit dependencies runs despite a block before it, and may depend on the block', () => {
    const build = new Simulator([block('k'), c('a', { needs: [] }), c('b', { needs: ['a', 'k'] }), c('d')]).run();
    expect(build.started).toEqual(['a']);
    build.unblock('k');
    expect(build.run().started).toEqual(['a', 'b', 'd']);
  });

  test('a failure before a block is undone by a retry, and the block is then reached', () => {
    const build = new Simulator([c('a', { outcomes: [1, 0] }), block('k'), c('d')]).run();
    expect(build.states()).toMatchObject({ k: 'blocked_failed', d: 'blocked_failed' });
    build.retry('a');
    expect(build.run().states()).toMatchObject({ k: 'blocked', d: 'blocked' });
  });
});

describe('pipeline uploads', () => {
  test("the steps of a job's second upload come before those of its first", () => {
    const build = new Simulator([c('u', { uploads: [[c('x')], [c('y')]] }), c('z')]).run();
    expect(build.steps.map(({ key }) => key)).toEqual(['u', 'y', 'x', 'z']);
  });

  test('an uploaded wait orders the steps uploaded with it and those behind the uploader', () => {
    const build = new Simulator([c('u', { uploads: [[c('x'), wait('uw'), c('y')]] }), wait(), c('z')]).run();
    expect(build.started).toEqual(['u', 'x', 'y', 'z']);
  });

  test("steps uploaded into a group keep the group's place in the order", () => {
    const build = new Simulator([
      group('g', [c('u', { uploads: [[c('x')]] }), wait(), c('y')]),
      c('z', { needs: ['g'] }),
    ]).run();
    expect(build.started).toEqual(['u', 'x', 'y', 'z']);
  });

  test('retrying an uploading job holds its dependents again', () => {
    const build = new Simulator([
      c('u', { outcomes: [1, 0], uploads: [[c('x')]] }),
      c('after', { needs: ['u'] }),
    ]).run();
    expect(build.build.state).toBe('failed');
    build.retry('u');
    expect(build.run().started).toEqual(['u', 'u', 'x', 'after']);
    expect(build.build.state).toBe('passed');
  });
});

describe('concurrency groups across builds', () => {
  test('a concurrency gate opens for the second build only after the first build has closed it', () => {
    const gate = () => [c('open', { limit: 1 }), wait(), c('work'), wait('w2'), c('close', { limit: 1 })];
    const a = new Simulator(gate(), 'a');
    const b = new Simulator(gate(), 'b');
    const log: string[] = [];
    for (let turn = 0; turn < 12; turn++) {
      a.admit([b]);
      for (const [name, build] of [
        ['A', a],
        ['B', b],
      ] as const) {
        const job = build.jobs.find(({ state }) => state === 'running') ?? build.runnable()[0];
        if (job === undefined) continue;
        if (job.state === 'running') {
          build.finish(job);
        } else {
          log.push(`${name} ${job.name}`);
          build.start(job);
        }
      }
    }
    expect(log).toEqual(['A open', 'A work', 'A close', 'B open', 'B work', 'B close']);
    expect(b.build.state).toBe('passed');
  });
});
