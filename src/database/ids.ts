import { randomFillSync, randomInt } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes for the ids to come: a call of the system for each id costs more than the id. */
const pool = new Uint8Array(256 * 16);
let used = pool.length;

function randomBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used);
}

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
  return v7({ msecs: time > lastTime - 60_000 ? lastTime : time, seq: sequence, random: randomBytes() });
}

/** Longer than a transaction takes between the time it began and its ids, and than clocks of replicas differ. */
export const idMayDifferMs = 60 * 60_000;

const lastMomentOfIds = 2 ** 48 - 1;

/** The lowest UUIDv7 of a moment, in milliseconds since 1970: ids made from then on are not below it. */
export function lowestIdAt(milliseconds: number): string {
  const moment = Math.min(lastMomentOfIds, Math.max(0, Math.trunc(milliseconds)));
  const digits = moment.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}
