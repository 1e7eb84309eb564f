import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import { sign } from '../../../auth/secrets.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Services } from '../../../services/services.js';
import { attemptCounter, countOne, networkOf } from './attempt-counter.js';

interface Brakes {
  address: RateLimiterPostgres;
  account: RateLimiterPostgres;
  both: RateLimiterPostgres;
}

const brakesOf = new WeakMap<object, Brakes>();

function brakes({ db }: Services): Brakes {
  const known = brakesOf.get(db);
  if (known) return known;
  const brake = {
    address: attemptCounter(db, 'address', limits.signInAttemptsPerAddress, 10),
    both: attemptCounter(db, 'both', limits.signInAttemptsPerAccountAndAddress, 10),
    account: attemptCounter(db, 'account', limits.signInAttemptsPerAccount, 60),
  };
  brakesOf.set(db, brake);
  return brake;
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

const tooMany = 'Too many attempts to sign in.';

/**
 * Counts an attempt to sign in before anything is compared, so that attempts at the same moment count too. Throws
 * `rate_limited` alike for accounts that exist and those that do not.
 */
export async function countAttempt(services: Services, attempt: Attempt): Promise<void> {
  const { address, account, both } = brakes(services);
  const keys = keysOf(services, attempt);
  await countOne(address, keys.address, tooMany);
  if (attempt.email === null) return;
  await countOne(both, keys.both, tooMany);
  await countOne(account, keys.account, tooMany);
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
