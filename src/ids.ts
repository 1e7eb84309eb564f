import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';

let lastTime = 0;
let sequence = 0;

/**
 * A UUIDv7 for a moment. Ids made in this process sort in the order they were made, also within one millisecond and
 * when the clock jumps back: pages and retries keep their order.
 */
export function newId(now: Date): string {
  const time = now.getTime();
  if (time > lastTime) {
    lastTime = time;
    // Half of the 32-bit sequence is left to count up in.
    sequence = randomInt(2 ** 31);
  } else {
    sequence += 1;
  }
  return v7({ msecs: time > lastTime - 60_000 ? lastTime : time, seq: sequence });
}
