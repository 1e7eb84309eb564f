import { defineEntity, p } from '@mikro-orm/core';

/**
 * Attempts to sign in, counted for all replicas; the columns are those of the library that counts. The table is
 * unlogged: after a crash the brake starts again.
 */
export const SignInAttemptSchema = defineEntity({
  name: 'SignInAttempt',
  tableName: 'sign_in_attempts',
  indexes: [{ properties: ['expire'] }],
  properties: {
    /** Keyed hash of the address or account: neither is readable here. */
    key: p.text().primary(),
    points: p.integer(),
    /** Milliseconds since 1970. */
    expire: p.bigint('number').nullable(),
  },
});
