/** The limits of TESTOWNERS files; part of `limits`. */
export const testOwnerLimits = {
  /** Bytes of a TESTOWNERS file: choice. */
  testOwnersBytes: 256 * 1024,
  /** Rules of a TESTOWNERS file: choice. */
  testOwnerRules: 2_000,
  /** Characters of a pattern of a TESTOWNERS file: choice. */
  testOwnerPatternLength: 500,
  /** Teams of one rule of a TESTOWNERS file: choice. */
  testOwnersOfRule: 20,
} as const;
