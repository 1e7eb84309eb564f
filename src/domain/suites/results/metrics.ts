import { type ExecutionResult, executionResults } from './result.js';

/** Metrics of a test over all its stored executions. Durations are in seconds. */
export interface TestMetrics {
  /** Passed executions divided by passed and failed ones; null if there are none. */
  reliability: number | null;
  durationAverage: number | null;
  durationSum: number | null;
  durationMinimum: number | null;
  durationMaximum: number | null;
  executionsCount: number;
  countByResult: Record<ExecutionResult, number>;
}

/** Executions of a test with one result, counted together. */
export interface ResultGroup {
  result: ExecutionResult;
  count: number;
  /** Executions with a duration. */
  timed: number;
  sum: number | null;
  least: number | null;
  most: number | null;
}

/** The metrics of a test out of its executions grouped by result. */
export function testMetrics(groups: readonly ResultGroup[]): TestMetrics {
  const countByResult = Object.fromEntries(
    executionResults.map((result) => [result, groups.find((group) => group.result === result)?.count ?? 0]),
  ) as Record<ExecutionResult, number>;
  const decided = countByResult.passed + countByResult.failed;
  const timed = groups.filter((group) => group.timed > 0);
  const durationSum = timed.length === 0 ? null : timed.reduce((total, { sum }) => total + (sum ?? 0), 0);
  return {
    reliability: decided === 0 ? null : countByResult.passed / decided,
    durationAverage: durationSum === null ? null : durationSum / timed.reduce((total, group) => total + group.timed, 0),
    durationSum,
    durationMinimum: timed.length === 0 ? null : Math.min(...timed.map(({ least }) => least ?? Infinity)),
    durationMaximum: timed.length === 0 ? null : Math.max(...timed.map(({ most }) => most ?? 0)),
    executionsCount: groups.reduce((total, { count }) => total + count, 0),
    countByResult,
  };
}
