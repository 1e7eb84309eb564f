import { sql } from 'kysely';
import { recovery } from '../../../src/domain/suites/flaky/flaky.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { describeOnPostgres } from '../../support/database.js';
import { newSuite, result, upload } from '../../support/suites.js';

const [one, other] = ['a', 'b'].map((letter) => letter.repeat(40));

describe('a test that has passed and failed on one commit', () => {
  let surfaces: BothSurfaces;
  let suite: Awaited<ReturnType<typeof newSuite>>;
  let uploads = 0;
  beforeEach(async () => {
    surfaces = await BothSurfaces.open();
    suite = await newSuite(surfaces, 'RSpec');
  });
  afterEach(() => surfaces.close());

  const send = (commit: string | undefined, results: Readonly<Record<string, string>>) =>
    upload(
      surfaces,
      suite.authorization,
      `K${(uploads += 1)}`,
      Object.entries(results).map(([name, came]) => result(name.trim(), { result: came })),
      { runEnv: { commit_sha: commit } },
    );
  const flaky = async () => {
    const tests = await surfaces.read(['get', `${suite.path}/tests?label=flaky`]);
    return tests.map(({ name }: Data) => name).sort();
  };
  const days = (count: number) => surfaces.world.clock.advance(count * 86_400);

  test('is labeled as flaky, in whichever runs it did, and no other is', async () => {
    await send(one, { steady: 'passed', broken: 'failed', mended: 'failed', 'left out': 'skipped' });
    await send(other, { steady: 'passed', broken: 'failed', mended: 'passed', 'left out': 'passed' });
    expect(await flaky()).toEqual([]);
    await send(one, { mended: 'passed', steady: 'passed' });
    expect(await flaky()).toEqual(['mended']);
    // Both in one run, as runners that retry send it.
    await send(other, { steady: 'failed', 'steady ': 'passed' });
    expect(await flaky()).toEqual(['mended', 'steady']);
    await send(undefined, { broken: 'passed' });
    await send('HEAD', { broken: 'failed' });
    await send('HEAD', { broken: 'passed' });
    expect(await flaky()).toEqual(['mended', 'steady']);
  });

  test('recovers after so many days, or so many executions, of which none showed it again', async () => {
    await send(one, { a: 'failed', b: 'failed' });
    await send(one, { a: 'passed', b: 'passed' });
    days(recovery.days - 1);
    await send(other, { a: 'passed', b: 'failed' });
    await send(other, { b: 'passed' });
    expect(await flaky()).toEqual(['a', 'b']);
    days(1);
    await send(undefined, { a: 'passed', b: 'passed' });
    expect(await flaky()).toEqual(['b']);
    for (let count = 0; count < recovery.executions - 2; count += 1) await send(undefined, { b: 'failed' });
    expect(await flaky()).toEqual(['b']);
    await send(undefined, { b: 'failed' });
    expect(await flaky()).toEqual([]);
  });

  test('is labeled once: a person may take the label away, and it comes back after a recovery', async () => {
    const [mixed, again] = ['c', 'd'].map((letter) => letter.repeat(40));
    await send(one, { a: 'failed', 'a ': 'passed' });
    const [{ id }] = await surfaces.read(['get', `${suite.path}/tests?label=flaky`]);
    await surfaces.read(['patch', `${suite.path}/tests/${id}/labels`, { operator: 'remove', labels: ['flaky'] }]);
    await send(other, { a: 'failed', 'a ': 'passed' });
    expect(await flaky()).toEqual([]);
    days(recovery.days);
    await send(mixed, { a: 'passed' });
    await send(again, { a: 'failed', 'a ': 'passed' });
    expect(await flaky()).toEqual(['a']);
  });
});

describeOnPostgres('uploads at the same time', () => {
  let surfaces: BothSurfaces;
  beforeEach(async () => {
    surfaces = await BothSurfaces.open();
  });
  afterEach(() => surfaces.close());

  test('lock the tests that become flaky and those that recover together, in one order', async () => {
    const { db } = surfaces.world.services;
    const suite = await newSuite(surfaces, 'RSpec');
    let uploads = 0;
    const send = (commit: string | undefined, results: Readonly<Record<string, string>>) =>
      upload(
        surfaces,
        suite.authorization,
        `K${(uploads += 1)}`,
        Object.entries(results).map(([name, came]) => result(name, { result: came })),
        { runEnv: { commit_sha: commit } },
      );
    // The one that recovers was made first, so its id comes before that of the flaky one.
    await send(one, { recovers: 'failed' });
    await send(one, { recovers: 'passed' });
    await send(other, { flaky: 'failed' });
    surfaces.world.clock.advance(recovery.days * 86_400);
    const holder = await db.startTransaction().execute();
    const locking = (name: string) => holder.selectFrom('suite_tests').select('id').where('name', '=', name);
    await locking('recovers').forUpdate().execute();
    const sent = send(other, { flaky: 'passed', recovers: 'passed' });
    const waiting = () =>
      sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    await expect.poll(async () => (await waiting()).rows[0]?.count, { timeout: 10_000 }).toBe(1);
    // It waits for the first of them while it has locked no other.
    const free = await locking('flaky').forUpdate().skipLocked().execute();
    await holder.commit().execute();
    await sent;
    expect(free).toHaveLength(1);
    const labeled: Data[] = await surfaces.read(['get', `${suite.path}/tests?label=flaky`]);
    expect(labeled.map(({ name }) => name)).toEqual(['flaky']);
  });
});
