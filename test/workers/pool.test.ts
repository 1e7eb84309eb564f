import { inTransaction } from '../../src/database/transaction.js';
import { openWorkers, TaskTooDear, type Workers } from '../../src/workers/pool.js';
import { World } from '../support/world.js';
import { testWorkers } from '../support/workers/pool.js';

const builtEntry = new URL(`file://${process.cwd()}/dist/workers/entry.js`);
const most = 4 * 1024 * 1024;
const large = { body: `# Title\n\n${'word '.repeat(200)}`, most };
/** Renders for seconds on any machine. */
const endless = { body: '- a\n'.repeat(1024 * 256), most };

describe('the worker pool', () => {
  let pool: Workers;
  const open = (options: Parameters<typeof testWorkers>[0]) => (pool = testWorkers({ threads: 1, ...options }));
  afterEach(() => pool.close());

  test('the pool starts a thread only when large work needs one', async () => {
    open({});
    expect(await pool.run('annotation.render', 'a', { body: '*x*', most })).toBe('<p><em>x</em></p>\n');
    expect(pool.threads()).toBe(0);
    expect(await pool.run('annotation.render', 'a', large)).toContain('<h1>Title</h1>');
    expect(pool.threads()).toBe(1);
    expect(pool.counts()['annotation.render']).toMatchObject({ waiting: 0, running: 0, ended: { small: 1, done: 1 } });
  });

  test('threads have the limits that the operator has raised', async () => {
    const text = `steps: [{command: make, parallelism: 600}]\n${'# a comment\n'.repeat(200)}`;
    vi.stubEnv('LIMITS', 'jobsPerUpload=600');
    try {
      open({});
      expect(await pool.run('pipeline.parse', 'a', { text })).toMatchObject({ ok: true });
      expect(pool.threads()).toBe(1);
    } finally {
      vi.unstubAllEnvs();
    }
    await pool.close();
    open({});
    expect(await pool.run('pipeline.parse', 'a', { text })).toMatchObject({ ok: false });
  });

  test('the pool ends a thread that has no more work', async () => {
    open({ idleMs: 1 });
    await pool.run('annotation.render', 'a', large);
    while (pool.threads() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await pool.run('annotation.render', 'a', large)).toContain('<h1>Title</h1>');
  });

  test('the pool terminates a thread at the time limit of its task, and uses another for the next', async () => {
    open({ limitMs: 1_000, threadCpu: () => null });
    await expect(pool.run('annotation.render', 'a', endless)).rejects.toEqual(
      new TaskTooDear('annotation.render', 'time'),
    );
    expect(pool.counts()['annotation.render']).toMatchObject({ running: 0, ended: { timed_out: 1 } });
    expect(
      await pool.run('pipeline.parse', 'a', { text: `steps: [{command: a}]\n${'# x\n'.repeat(500)}` }),
    ).toMatchObject({ ok: true });
  });

  test('a task that used its CPU time is too expensive, and one whose thread got no CPU time finds the server busy', async () => {
    let used = 0;
    open({ limitMs: 1_000, threadCpu: () => (used += 10_000) });
    await expect(pool.run('annotation.render', 'a', endless)).rejects.toEqual(
      new TaskTooDear('annotation.render', 'time'),
    );
    await pool.close();
    open({ limitMs: 1_000, waits: 0, threadCpu: () => 0 });
    await expect(pool.run('annotation.render', 'a', endless)).rejects.toMatchObject({ code: 'unavailable' });
    expect(pool.counts()['annotation.render'].ended).toMatchObject({ refused: 1, timed_out: 0 });
  });

  test('the pool ends a thread that uses too much memory, and uses another for the next task', async () => {
    open({ memoryMiB: 48, limitMs: 60_000 });
    await expect(pool.run('annotation.render', 'a', endless)).rejects.toEqual(
      new TaskTooDear('annotation.render', 'memory'),
    );
    expect(pool.counts()['annotation.render'].ended).toMatchObject({ out_of_memory: 1, failed: 0 });
    expect(await pool.run('annotation.render', 'a', large)).toContain('<h1>Title</h1>');
  });

  test('the pool refuses too many tasks of one caller, and serves callers in turn', async () => {
    open({ queue: { perCaller: 2, total: 3, bytesPerCaller: most, bytesTotal: most } });
    const ended: string[] = [];
    const ask = (caller: string, name: string) =>
      pool.run('annotation.render', caller, large).then(() => ended.push(name));
    const work = [ask('greedy', 'running'), ask('greedy', 'first'), ask('greedy', 'second')];
    await expect(ask('greedy', 'third')).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 2 } });
    work.push(ask('other', 'of another caller'));
    await expect(ask('somebody else', 'beyond the total')).rejects.toMatchObject({ code: 'unavailable' });
    expect(pool.counts()['annotation.render']).toMatchObject({ waiting: 3, running: 1, ended: { refused: 2 } });
    await Promise.all(work);
    expect(ended).toEqual(['running', 'first', 'of another caller', 'second']);
  });

  test('the pool refuses large inputs beyond what may wait in memory', async () => {
    open({ queue: { perCaller: 9, total: 9, bytesPerCaller: 2_000, bytesTotal: 9_000 } });
    const work = [1, 2].map(() => pool.run('annotation.render', 'a', large));
    await expect(pool.run('annotation.render', 'a', large)).rejects.toMatchObject({ code: 'unavailable' });
    await Promise.all(work);
  });

  test('a closed pool refuses waiting, running and new tasks', async () => {
    open({});
    const work = [1, 2].map(() => pool.run('annotation.render', 'a', endless));
    const refused = Promise.allSettled(work);
    await pool.close();
    expect(await refused).toMatchObject([{ reason: { code: 'unavailable' } }, { reason: { code: 'unavailable' } }]);
    await expect(pool.run('annotation.render', 'a', large)).rejects.toMatchObject({ code: 'unavailable' });
    expect(pool.threads()).toBe(0);
  });

  test('an error in the work itself reaches the caller', async () => {
    open({});
    await expect(pool.run('log.render', 'a', { state: new Uint8Array(64 * 1024), bytes: null })).rejects.toThrow();
    expect(pool.counts()['log.render'].ended).toMatchObject({ failed: 1 });
  });
});

test('a thread of the built program gives the same result as the threads of the tests', async () => {
  const built = openWorkers({ threads: 1, entry: builtEntry });
  expect(await built.run('annotation.render', 'a', large)).toContain('<h1>Title</h1>');
  await built.close();
});

test('a task is refused inside an open transaction, because it would hold locks meanwhile', async () => {
  const world = await World.create();
  const { db, workers } = world.services;
  for (const input of [large, { body: 'x', most }]) {
    await expect(inTransaction(db, 'a test', () => workers.run('annotation.render', 'a', input))).rejects.toThrow(
      'annotation.render inside the transaction that is open (a test)',
    );
  }
  await world.close();
});
