import ipaddr from 'ipaddr.js';
import { CompiledQuery } from 'kysely';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { sign } from '../../../auth/secrets.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem } from '../../../domain/problem.js';
import type { Services } from '../../../services/services.js';

interface Brakes {
  address: RateLimiterPostgres;
  account: RateLimiterPostgres;
  both: RateLimiterPostgres;
}

const brakesOf = new WeakMap<object, Brakes>();

/**
 * Counters in the database of the installation, which replicas share. The library names the statements; Kysely sends
 * them.
 */
function brakes({ db }: Services): Brakes {
  const known = brakesOf.get(db);
  if (known) return known;
  const query = ({ text, values = [] }: { text: string; values?: unknown[] }) =>
    db.executeQuery(CompiledQuery.raw(text, values));
  const limiter = (keyPrefix: string, points: number, minutes: number) =>
    new RateLimiterPostgres({
      storeClient: { query },
      storeType: 'client',
      tableName: 'sign_in_attempts',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration: minutes * 60,
    });
  const brake = {
    address: limiter('address', limits.signInAttemptsPerAddress, 10),
    both: limiter('both', limits.signInAttemptsPerAccountAndAddress, 10),
    account: limiter('account', limits.signInAttemptsPerAccount, 60),
  };
  brakesOf.set(db, brake);
  return brake;
}

/** One caller's network: an IPv4 address, or the 64 bits that one IPv6 customer has at least. */
function networkOf(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}

/** Who attempts to sign in; `email` is null where no account is named, as with single sign-on. */
export interface Attempt {
  email: string | null;
  ipAddress: string | null;
}

/** Names of counters: keyed hashes, so that the table says nothing of who signs in. */
function keysOf(services: Services, { email, ipAddress }: Attempt) {
  const network = networkOf(ipAddress);
  const account = email?.trim().toLowerCase() ?? '';
  const key = (...parts: string[]) => sign(services.secretKey, 'sign-in-brake', ...parts);
  return { address: key(network), account: key('account', account), both: key(network, account) };
}

/**
 * Counts an attempt to sign in before anything is compared, so that attempts at the same moment count too. Throws
 * `rate_limited` alike for accounts that exist and those that do not.
 */
export async function countAttempt(services: Services, attempt: Attempt): Promise<void> {
  const { address, account, both } = brakes(services);
  const keys = keysOf(services, attempt);
  await consume(address, keys.address);
  if (attempt.email === null) return;
  await consume(both, keys.both);
  await consume(account, keys.account);
}

/**
 * Takes an attempt back that was right: people who sign in often are not stopped, nor those behind the same address.
 */
export async function forgiveAttempt(services: Services, attempt: Attempt): Promise<void> {
  const { address, account, both } = brakes(services);
  const keys = keysOf(services, attempt);
  await address.reward(keys.address);
  await both.delete(keys.both);
  await account.reward(keys.account);
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new Problem('rate_limited', `Too many attempts to sign in. Please try again in ${waitOf(seconds)}.`, {
      retryAfter: seconds,
    });
  }
}

function waitOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
