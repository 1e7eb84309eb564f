import ipaddr from 'ipaddr.js';
import { CompiledQuery } from 'kysely';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../../../domain/problem.js';
import type { Db } from '../../../entities/database.js';

/**
 * A counter in the database of the installation, which replicas share: `points` in so many minutes. The library names
 * the statements; Kysely sends them.
 */
export function attemptCounter(db: Db, keyPrefix: string, points: number, minutes: number): RateLimiterPostgres {
  const query = ({ text, values = [] }: { text: string; values?: unknown[] }) =>
    db.executeQuery(CompiledQuery.raw(text, values));
  return new RateLimiterPostgres({
    storeClient: { query },
    storeType: 'client',
    tableName: 'sign_in_attempts',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points,
    duration: minutes * 60,
  });
}

/** Counts one under a key. Throws `rate_limited` with `retryAfter`, and `refusal` as the beginning of its message. */
export async function countOne(counter: RateLimiterPostgres, key: string, refusal: string): Promise<void> {
  try {
    await counter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new Problem('rate_limited', `${refusal} Please try again in ${waitOf(seconds)}.`, { retryAfter: seconds });
  }
}

function waitOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/** One caller's network: an IPv4 address, or the 64 bits that one IPv6 customer has at least. */
export function networkOf(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
