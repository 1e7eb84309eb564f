import type { JsonObject } from '../../pipelines/steps/step.js';

/** Result of one execution of a test; runners also send `pending` for a test that was not run. */
export const executionResults = ['passed', 'failed', 'skipped', 'pending', 'unknown'] as const;
export type ExecutionResult = (typeof executionResults)[number];

/** A section of a runner's output about a failure. */
export interface FailureDetail extends JsonObject {
  expanded: string[];
  backtrace: string[];
}

/** One execution of a test, normalized from any format. */
export interface TestResult {
  /** Scope of the test: a class, a describe block, a feature. Scope and name identify the test. */
  scope: string;
  name: string;
  /** `file:line`. */
  location: string | null;
  fileName: string | null;
  result: ExecutionResult;
  failureReason: string | null;
  failureExpanded: FailureDetail[];
  /** Seconds. */
  duration: number | null;
  tags: Record<string, string>;
}

/** One result that is not taken, and why. */
export interface RefusedResult {
  refused: string;
}

export type ParsedResult = TestResult | RefusedResult;

export const isRefused = (parsed: ParsedResult): parsed is RefusedResult => 'refused' in parsed;

/** A file that does not have the format it claims; none of its results can be read. */
export class UnreadableResults extends Error {}

/** The results of a report, or what is wrong about it. */
export type ReadResults = { ok: true; results: ParsedResult[] } | { ok: false; problem: string };

/** The results of an upload that were taken, and why the others were not. */
export interface SortedResults {
  taken: TestResult[];
  refusals: string[];
}

/** Separates accepted results from refused ones; each refusal names its result's number, from 1. */
export function sortResults(parsed: readonly ParsedResult[]): SortedResults {
  const sorted: SortedResults = { taken: [], refusals: [] };
  for (const [index, result] of parsed.entries()) {
    if (isRefused(result)) sorted.refusals.push(`Result ${index + 1}: ${result.refused}`);
    else sorted.taken.push(result);
  }
  return sorted;
}
