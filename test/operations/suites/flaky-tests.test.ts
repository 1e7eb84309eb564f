import { recovery } from '../../../src/domain/suites/flaky/flaky.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
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
