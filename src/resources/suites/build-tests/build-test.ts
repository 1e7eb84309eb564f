import type { TestMetrics } from '../../../domain/suites/results/metrics.js';
import type { SuiteTestRow } from '../../../entities/database.js';

/** A test with the numbers of its executions in one build. */
export interface BuildTest extends SuiteTestRow {
  passed: number;
  failed: number;
  skipped: number;
  pending: number;
  unknown: number;
  executionsCount: number;
  reliability: number | null;
  durationAverage: number | null;
  durationSum: number | null;
  durationMinimum: number | null;
  durationMaximum: number | null;
  /** What the list is sorted by; infinite for a test that has no such metric. */
  sortKey: number;
}

/** The metrics of a test over its executions in the build. */
export function metricsOfBuildTest(test: BuildTest): TestMetrics {
  const { passed, failed, skipped, pending, unknown } = test;
  return {
    reliability: test.reliability,
    durationAverage: test.durationAverage,
    durationSum: test.durationSum,
    durationMinimum: test.durationMinimum,
    durationMaximum: test.durationMaximum,
    executionsCount: test.executionsCount,
    countByResult: { passed, failed, skipped, pending, unknown },
  };
}
