/** The limits of sign-in, sessions and the API tokens that people make themselves; part of `limits.ts`. */
export const signInLimits = {
  /** Body of the sign-in form: choice. */
  signInFormBytes: 16 * 1024,
  /** Least characters of a new password: choice. */
  passwordLengthMinimum: 8,
  /** Characters of a password: choice. */
  passwordLength: 1_000,
  /** Passwords that one process checks at a time, each with 64 MiB: choice. */
  passwordsAtOnce: 2,
  /** Passwords that wait to be checked in one process; more are answered 503: choice. */
  passwordsWaiting: 50,
  /** Attempts to sign in from one address in ten minutes: choice. */
  signInAttemptsPerAddress: 60,
  /** Attempts to sign in to one account from one address in ten minutes: choice. */
  signInAttemptsPerAccountAndAddress: 10,
  /** Attempts to sign in to one account from anywhere in an hour: choice. */
  signInAttemptsPerAccount: 100,
  /** Days after which a session ends, however much it is used: choice. */
  sessionDays: 30,
  /** Days without a request after which a session ends: choice. */
  sessionIdleDays: 7,
  /** Minutes after which a session gets another token: choice. */
  sessionRotationMinutes: 60,
  /** Seconds for which requests under way may use the token before: choice. */
  sessionRotationGraceSeconds: 60,
  /** Sessions of a user; a further session ends the least recently used one: choice. */
  sessionsPerUser: 50,
  /** Minutes for which a one-time sign-in address is good: choice. */
  signInAddressMinutes: 5,
  /** Minutes that a person has at the single sign-on provider: choice. */
  singleSignOnMinutes: 10,
  /** API tokens of a user that are valid: choice. */
  apiTokensPerUser: 200,
  /** Organizations that one API token names: choice. */
  apiTokenOrganizations: 100,
  /** Email domains that may join an organization: choice. */
  ssoDomains: 50,
} as const;
