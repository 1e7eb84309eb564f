import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { AsyncValue } from '../../src/event-loop/async-value.js';

const name = new AsyncValue<string>();
const size = new AsyncValue<number>();

describe('values that work finds without being handed them', () => {
  test('are those of the work, also after it has waited, and of what it starts; others have none', async () => {
    const seen = async () => {
      await turn();
      return [name.get(), size.get()];
    };
    const [inner, alone, none] = await Promise.all([
      name.run('a', async () => [await size.run(1, seen), await name.run('b', seen), await seen()]),
      size.run(2, seen),
      seen(),
    ]);
    expect(inner).toEqual([
      ['a', 1],
      ['b', undefined],
      ['a', undefined],
    ]);
    expect(alone).toEqual([undefined, 2]);
    expect(none).toEqual([undefined, undefined]);
  });

  test('are hidden while a value of undefined is set', () => {
    const [hidden, after] = name.run('a', () => [name.run(undefined as never, () => name.get()), name.get()]);
    expect(hidden).toBeUndefined();
    expect(after).toBe('a');
  });
});

test('the process has one storage that every promise pays for, and that of traces where somebody wants them', () => {
  const files = (readdirSync('src', { recursive: true }) as string[]).filter((file) => file.endsWith('.ts')).sort();
  const storages = files.filter((file) => readFileSync(`src/${file}`, 'utf8').includes('new AsyncLocalStorage'));
  expect(storages).toEqual(['event-loop/async-value.ts', 'tracing/open-tracing.ts']);
});
