import { SharedSync } from '../../src/storage/shared-sync.js';

test('those who call while a sync runs share the next one, and a failure reaches only those it concerns', async () => {
  const ends: { name: string; end: (error?: Error) => void }[] = [];
  const syncs = new SharedSync(
    (name) =>
      new Promise((resolve, reject) => {
        ends.push({ name, end: (error) => (error ? reject(error) : resolve()) });
      }),
  );
  const told: string[] = [];
  const call = (name: string, caller: string) =>
    syncs.run(name).then(
      () => told.push(`${caller} done`),
      () => told.push(`${caller} failed`),
    );
  const first = call('a', '1');
  const second = call('a', '2');
  const third = call('a', '3');
  const other = call('b', 'other');
  expect(ends.map(({ name }) => name)).toEqual(['a', 'b']);
  ends[0]!.end(new Error('full'));
  ends[1]!.end();
  await Promise.all([first, other]);
  expect(told.sort()).toEqual(['1 failed', 'other done']);
  await vi.waitFor(() => expect(ends).toHaveLength(3));
  const fourth = call('a', '4');
  ends[2]!.end();
  await Promise.all([second, third]);
  await vi.waitFor(() => expect(ends).toHaveLength(4));
  ends[3]!.end();
  await fourth;
  expect(told.sort()).toEqual(['1 failed', '2 done', '3 done', '4 done', 'other done']);
  await Promise.resolve();
  const fifth = call('a', '5');
  expect(ends).toHaveLength(5);
  ends[4]!.end();
  await fifth;
});
