import { nextTurn } from '../../src/event-loop/turns.js';

/** Keeps the event loop for so many milliseconds. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** How often timers had their turn while the work was done. */
async function timersDuring(all: Promise<unknown>): Promise<number> {
  let count = 0;
  const timer = setInterval(() => (count += 1), 1);
  await all;
  clearInterval(timer);
  return count;
}

describe('turns of the event loop', () => {
  test('leave others theirs, however many pieces of work wait for the next one', async () => {
    const pieces = Array.from({ length: 40 }, async () => {
      await nextTurn();
      work(10);
    });
    // All of them in one turn would leave timers one.
    expect(await timersDuring(Promise.all(pieces))).toBeGreaterThan(10);
  });

  test('are given in order of arrival, to a thousand that wait as well', async () => {
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 3_000 }, async (_, index) => {
        await nextTurn();
        order.push(index);
      }),
    );
    expect(order).toEqual(Array.from({ length: 3_000 }, (_, index) => index));
  });
});
