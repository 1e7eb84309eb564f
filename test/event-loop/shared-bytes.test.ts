import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inSlices, joinShared } from '../../src/event-loop/shared-bytes.js';
import { nextTurn } from '../../src/event-loop/turns.js';

const large = 3 * 1024 * 1024;

it('pieces of any sizes are joined in their order', async () => {
  const sizes = fc.array(fc.oneof(fc.nat(200), fc.constantFrom(64 * 1024, large)), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(sizes, async (lengths) => {
      const pieces = lengths.map((length, index) => Buffer.alloc(length, index + 1));
      const whole = Buffer.concat(pieces);
      expect((await joinShared(pieces)).equals(whole)).toBe(true);
      expect(pieces).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

it('many bytes are joined in memory of all threads, with turns of the event loop between', async () => {
  let turns = 0;
  let isJoined = false;
  const others = (async () => {
    for (; !isJoined; turns += 1) await nextTurn();
  })();
  const joined = await joinShared([Buffer.alloc(large), Buffer.alloc(large)]);
  isJoined = true;
  await others;
  expect(joined.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(turns).toBeGreaterThanOrEqual(5);
});

it('slices of bytes are all of them', () => {
  const bytes = Buffer.alloc(large + 1, 'abc');
  const slices = [...inSlices(bytes)];
  expect(Buffer.concat(slices).equals(bytes)).toBe(true);
  expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(1024 * 1024);
});
