import { randomBytes, scrypt as scryptCallback, timingSafeEqual } from 'node:crypto';
import pLimit from 'p-limit';
import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';

/** 64 MiB and about 0.1 s a guess: OWASP's recommendation for scrypt is 2^17 or 2^16 with r = 8. */
const cost = { N: 2 ** 16, r: 8, p: 1 };
const keyLength = 32;

/** Each guess holds 64 MiB and one of the four threads that files and host names need too. */
const turns = pLimit(limits.passwordsAtOnce);

function scrypt(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  const derive = () =>
    new Promise<Buffer>((resolve, reject) => {
      scryptCallback(password.normalize('NFKC'), salt, keyLength, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  return turns(derive);
}

/**
 * Stored form of a console password: `scrypt$N$r$p$salt$key`, salted, from a memory-hard function. It is checked at the
 * cost that it was made with.
 */
export async function hashPassword(password: string, { N, r, p } = cost): Promise<string> {
  const salt = randomBytes(16);
  const key = await scrypt(password, salt, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether a password matches a hash, compared in constant time; false for an unreadable hash. */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  const match = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]+)\$([\w-]+)$/.exec(hash ?? '');
  if (!match) return false;
  const [, N, r, p, salt = '', key = ''] = match;
  const expected = Buffer.from(key, 'base64url');
  const actual = await scrypt(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** A hash that no password has, for accounts without one. */
const decoy = ['scrypt', cost.N, cost.r, cost.p, randomBytes(16).toString('base64url'), 'AAAA'].join('$');

/**
 * Whether a password is that of an account, for callers who may be guessing: takes as long for an account without a
 * password, or without a row (null). Throws `unavailable` while too many others wait.
 */
export async function checkPassword(password: string, hash: string | null): Promise<boolean> {
  if (turns.pendingCount >= limits.passwordsWaiting)
    throw new Problem('unavailable', 'Too many people are signing in. Please try again in a moment.', {
      retryAfter: 5,
    });
  return (await passwordMatches(password, hash ?? decoy)) && hash !== null;
}
