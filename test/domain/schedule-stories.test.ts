import { bad, block, c, group, input, Simulator, trigger, wait } from './schedule-simulator.js';

/** A build whose startable jobs have been started and have not ended. */
function begun(...args: ConstructorParameters<typeof Simulator>): Simulator {
  const build = new Simulator(...args);
  for (const job of build.runnable()) build.start(job);
  return build;
}

describe('before anything runs', () => {
  test('ready jobs are scheduled, jobs with concurrency join their queue, the others are held', () => {
    const build = new Simulator([c('a'), c('l', { limit: 1 }), wait(), c('b'), block('k'), c('d'), wait('w2'), c('e')]);
    expect(build.jobs.map(({ state }) => state)).toEqual(
      ['scheduled', 'limiting', 'waiting', 'waiting', 'waiting', 'blocked', 'waiting', 'blocked']);
    expect(build.build).toMatchObject({ state: 'scheduled', blocked: false, failing: false });
  });

  test('a build without any jobs did not run', () => {
    expect(new Simulator([]).build.state).toBe('not_run');
    expect(new Simulator([group('g', [])]).build.state).toBe('not_run');
  });

  test('canceled before its start, without a canceling phase', () => {
    const build = new Simulator([c('a'), wait(), c('b'), block('k')]);
    build.cancelBuild();
    expect(new Set(Object.values(build.states()))).toEqual(new Set(['canceled']));
    expect(build.history).toEqual(['creating', 'scheduled', 'canceled']);
  });

  test('31: superseded by a newer build', () => {
    const build = new Simulator([c('a'), wait(), c('b', { limit: 1 }), trigger('t')]);
    build.skipBuild();
    expect(new Set(Object.values(build.states()))).toEqual(new Set(['skipped']));
    expect(build.history).toEqual(['creating', 'scheduled', 'skipped']);
  });
});

describe('a failure while others run', () => {
  test('the build is failing until the last job ends', () => {
    const build = begun([c('a'), c('b'), wait(), c('d')]);
    build.finish(build.job('a'), 1);
    expect(build.build).toMatchObject({ state: 'failing', failing: true });
    expect(build.states()['d']).toBe('waiting');
    build.finish(build.job('b'), 0);
    expect(build.states()['d']).toBe('waiting_failed');
    expect(build.history).toEqual(['creating', 'scheduled', 'running', 'failing', 'failed']);
  });

  test('an automatic retry does not make it failing', () => {
    const build = begun([c('a', { retry: [{ exitStatus: '*', limit: 1 }] }), c('b', { cancelOnBuildFailing: true })]);
    build.finish(build.job('a'), 1);
    expect(build.build.state).toBe('running');
    expect(build.states()['b']).toBe('running');
  });

  test('a retry by hand makes it well again and revives what was not run', () => {
    const build = begun([c('a'), c('b'), c('d', { needs: ['a'] })]);
    build.finish(build.job('a'), 1);
    expect(build.states()['d']).toBe('waiting_failed');
    build.retry('a');
    expect(build.states()).toMatchObject({ a: 'scheduled', d: 'waiting' });
    expect(build.build).toMatchObject({ state: 'running', failing: false });
    build.run();
    expect(build.history).toEqual(['creating', 'scheduled', 'running', 'failing', 'running', 'passed']);
  });

  test('a finished build is reopened by a retry, also where nothing had started', () => {
    const build = new Simulator([c('a'), wait(), c('b')]);
    build.expire('a');
    expect(build.build.state).toBe('failed');
    build.retry('a');
    expect(build.states()['b']).toBe('waiting');
    expect(build.run().history).toEqual(['creating', 'scheduled', 'failed', 'running', 'passed']);
  });

  test('23: jobs that want it are canceled, at once or by their agent', () => {
    const build = begun([
      c('a'), c('b', { cancelOnBuildFailing: true }), c('n'), wait(), c('d', { cancelOnBuildFailing: true, softFail: true }),
    ]);
    build.finish(build.job('a'), 1);
    expect(build.states()).toMatchObject({ b: 'canceling', n: 'running', d: 'canceled' });
    expect(build.job('d').softFailed).toBe(true);
    build.finish(build.job('b'), -1);
    build.finish(build.job('n'), 0);
    expect(build.states()).toMatchObject({ b: 'canceled', n: 'passed' });
    expect(build.build.state).toBe('failed');
  });

  test('23: but not the retry of such a job in a build that was failing before', () => {
    const build = begun([c('a'), c('b', { cancelOnBuildFailing: true }), c('n', { outcomes: ['never'] })]);
    build.finish(build.job('a'), 1);
    build.finish(build.job('b'), -1);
    build.retry('b');
    expect(build.states()['b']).toBe('scheduled');
  });

  test('24: a promised failure fails the build at once, and exit status 0 does not undo it', () => {
    const build = begun([c('a', { softFail: true }), c('b'), wait(), c('d')]);
    build.promiseFailure('a');
    expect(build.build.state).toBe('failing');
    build.finish(build.job('a'), 0);
    build.finish(build.job('b'), 0);
    expect(build.states()['d']).toBe('waiting_failed');
    expect(build.build.state).toBe('failed');
  });

  test('22: exit status 0 after the timeout has passed, any other has timed out', () => {
    const build = begun([c('a'), c('b')]);
    build.finish(build.job('b'), 'time_out');
    expect(build.job('b').state).toBe('timed_out');
    expect(build.build.state).toBe('failing');
  });

  test('34: an expired job fails the build', () => {
    const build = new Simulator([c('a'), c('b', { needs: ['a?'] })]);
    build.expire('a');
    expect(build.states()['b']).toBe('waiting_failed');
    expect(build.build.state).toBe('failed');
  });
});

describe('canceling', () => {
  test('what has not started ends at once, what runs is told to stop, and only then the build is canceled', () => {
    const build = begun([c('a'), trigger('t'), wait(), c('b'), block('k'), c('d')]);
    build.cancelBuild();
    expect(build.states()).toEqual(
      { a: 'canceling', t: 'canceled', wait: 'canceled', b: 'canceled', k: 'canceled', d: 'canceled' });
    expect(build.build.state).toBe('canceling');
    build.finish(build.job('a'), 0);
    expect(build.states()['a']).toBe('canceled');
    expect(build.history.slice(-2)).toEqual(['canceling', 'canceled']);
  });

  test('a blocked build can be canceled (ruling 1)', () => {
    const build = new Simulator([c('a'), block('k'), c('d')]).run();
    expect(build.build.state).toBe('blocked');
    build.cancelBuild();
    expect(build.build.state).toBe('canceled');
    expect(build.states()).toEqual({ a: 'passed', k: 'canceled', d: 'canceled' });
  });

  test('a matrix adjustment may make one job of a step soft', () => {
    const build = new Simulator([c('p', { parallel: 2 })]);
    build.job('p1').softFail = true;
    build.cancelBuild();
    expect([build.job('p0').softFailed, build.job('p1').softFailed]).toEqual([false, true]);
  });

  test('steps uploaded into a build being canceled never run', () => {
    const build = begun([c('a')]);
    build.cancelBuild();
    build.upload(build.job('a'), [c('late')]);
    build.decide();
    expect(build.states()['late']).toBe('canceled');
  });
});

describe('blocks and inputs', () => {
  test('blocked only when nothing else can move; the kept state is the step\'s', () => {
    const build = begun([c('a'), block('k', { needs: [], blockedState: 'running' })]);
    expect(build.build).toMatchObject({ state: 'running', blocked: false, blockedState: null });
    build.finish(build.job('a'), 0);
    expect(build.build).toMatchObject({ state: 'blocked', blocked: true, blockedState: 'running' });
    build.unblock('k');
    expect(build.build).toMatchObject({ state: 'passed', blocked: false });
  });

  test('the worst kept state counts, and a failure is never shown as passed', () => {
    const kept = (...states: ('passed' | 'running' | 'failed')[]) =>
      new Simulator(states.map((state, index) => input(`i${index}`, { blockedState: state }))).build.blockedState;
    expect(kept('passed', 'running')).toBe('running');
    expect(kept('running', 'failed', 'passed')).toBe('failed');
    expect(new Simulator([input('i'), bad('a')]).run().build).toMatchObject({ state: 'blocked', blockedState: 'failed' });
  });

  test('steps behind an unreleased block keep no place in a concurrency queue, however far behind', () => {
    const build = new Simulator([block('k'), c('a'), wait(), c('b', { limit: 1 })]);
    expect(build.states()).toMatchObject({ a: 'blocked', b: 'blocked' });
    build.unblock('k');
    expect(build.states()).toMatchObject({ a: 'scheduled', b: 'waiting' });
    expect(build.history.slice(-2)).toEqual(['blocked', 'running']);
  });

  test('a step with explicit dependencies runs past the block, and may depend on it', () => {
    const build = new Simulator([block('k'), c('a', { needs: [] }), c('b', { needs: ['a', 'k'] }), c('d')]).run();
    expect(build.started).toEqual(['a']);
    build.unblock('k');
    expect(build.run().started).toEqual(['a', 'b', 'd']);
  });

  test('a failure before a block is undone by a retry, and the block is reached after all', () => {
    const build = new Simulator([c('a', { outcomes: [1, 0] }), block('k'), c('d')]).run();
    expect(build.states()).toMatchObject({ k: 'blocked_failed', d: 'blocked_failed' });
    build.retry('a');
    expect(build.run().states()).toMatchObject({ k: 'blocked', d: 'blocked' });
  });
});

describe('uploads', () => {
  test('17: the second upload of a job comes before its first', () => {
    const build = new Simulator([c('u', { uploads: [[c('x')], [c('y')]] }), c('z')]).run();
    expect(build.steps.map(({ key }) => key)).toEqual(['u', 'y', 'x', 'z']);
  });

  test('an uploaded wait orders what came with it and what stands behind', () => {
    const build = new Simulator([c('u', { uploads: [[c('x'), wait('uw'), c('y')]] }), wait(), c('z')]).run();
    expect(build.started).toEqual(['u', 'x', 'y', 'z']);
  });

  test('what is uploaded into a group stays inside its order', () => {
    const build = new Simulator([group('g', [c('u', { uploads: [[c('x')]] }), wait(), c('y')]), c('z', { needs: ['g'] })]).run();
    expect(build.started).toEqual(['u', 'x', 'y', 'z']);
  });

  test('a retried uploader holds its dependents again', () => {
    const build = new Simulator([c('u', { outcomes: [1, 0], uploads: [[c('x')]] }), c('after', { needs: ['u'] })]).run();
    expect(build.build.state).toBe('failed');
    build.retry('u');
    expect(build.run().started).toEqual(['u', 'u', 'x', 'after']);
    expect(build.build.state).toBe('passed');
  });
});

describe('concurrency over builds', () => {
  test('19: the gate opens for build B only after build A has closed it', () => {
    const gate = () => [c('open', { limit: 1 }), wait(), c('work'), wait('w2'), c('close', { limit: 1 })];
    const a = new Simulator(gate(), 'a');
    const b = new Simulator(gate(), 'b');
    const log: string[] = [];
    for (let turn = 0; turn < 12; turn++) {
      a.admit([b]);
      for (const [name, build] of [['A', a], ['B', b]] as const) {
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
