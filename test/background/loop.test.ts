import { Loop } from '../../src/background/loop.js';
import type { Services } from '../../src/services/services.js';
import { DatabaseUnavailableError } from '../../src/database/faults.js';

test('a task that fails without its database backs off, however often it is woken, and continues once the database works', async () => {
  const levels: string[] = [];
  const note = (level: string) => () => void levels.push(level);
  const services = {
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
  } as unknown as Services;
  let isDown = true;
  let rounds = 0;
  let succeed: () => void = () => undefined;
  const worked = new Promise<void>((resolve) => (succeed = resolve));
  const run = async () => {
    rounds += 1;
    if (isDown) throw new DatabaseUnavailableError('lost');
    succeed();
    return false;
  };
  const loop = new Loop(services, { name: 'test', everyMs: 10, wakes: true, run }, 0.04);
  const waking = setInterval(() => loop.wake(), 1);
  // Pauses of 10, 20, 40, 80 ms, give or take a quarter: a task that is woken every millisecond would run some eighty
  // times.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(rounds).toBeGreaterThanOrEqual(1);
  expect(rounds).toBeLessThanOrEqual(6);
  expect(levels).toEqual(Array(rounds).fill('warn'));
  isDown = false;
  await worked;
  clearInterval(waking);
  await loop.stop();
});
