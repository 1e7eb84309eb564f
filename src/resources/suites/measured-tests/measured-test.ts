import type { TestMetrics } from '../../../domain/suites/results/metrics.js';
import type { SuiteTestRow } from '../../../entities/database.js';

/** A test with the numbers of those of its executions that count. */
export interface MeasuredTest extends SuiteTestRow {
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

/** The metrics of a test over the executions that count. */
export function metricsOf(test: MeasuredTest): TestMetrics {
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

/** Whether a test comes with the numbers of the executions that count. */
export const isMeasured = (test: SuiteTestRow): test is MeasuredTest => 'sortKey' in test;
