/** The limits of plans that split tests over parallel jobs; part of `limits`. */
export const testPlanLimits = {
  /** Characters of the identifier of a test plan: choice. */
  testPlanIdentifierLength: 255,
  /** Files, examples and selectors of one test plan: choice. */
  testPlanTargets: 10_000,
  /** Parallel jobs that a test plan deals tests out to: choice. */
  testPlanNodes: 1_000,
  /** Muted and skipped tests that a test plan names, the oldest first: choice. */
  testPlanTreated: 5_000,
  /** Days for which a test plan is kept: choice. */
  testPlanDays: 7,
  /** Days of runs by which tests are timed for a plan: choice. */
  testTimingDays: 28,
  /**
   * Executions by which tests are timed for a plan, and looked at for flaky ones, those of the newest runs; more would
   * hold up the thread of a server with the embedded database (choice).
   */
  testTimingExecutions: 50_000,
} as const;
