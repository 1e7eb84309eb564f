import type { JsonObject } from '../steps/step.js';

/** What became of one execution of a test (rest-facts 7.1); runners also send `pending` for a test that was not run. */
export const executionResults = ['passed', 'failed', 'skipped', 'pending', 'unknown'] as const;
export type ExecutionResult = (typeof executionResults)[number];

/** One piece of what a runner printed about a failure. */
export interface FailureDetail extends JsonObject {
  expanded: string[];
  backtrace: string[];
}

/** One execution of a test, whatever format it came in. */
export interface TestResult {
  /** What the test is part of: a class, a describe block, a feature. With the name it is the test's identity. */
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

/** A file that is not of the format it says: nothing of it can be taken. */
export class UnreadableResults extends Error {}

/** The results of an upload that were taken, and why the others were not. */
export interface SortedResults {
  taken: TestResult[];
  refusals: string[];
}

/** Tells the results to take from those refused one by one; each refusal says which result it is about, from 1. */
export function sortResults(parsed: readonly ParsedResult[]): SortedResults {
  const sorted: SortedResults = { taken: [], refusals: [] };
  for (const [index, result] of parsed.entries()) {
    if (isRefused(result)) sorted.refusals.push(`Result ${index + 1}: ${result.refused}`);
    else sorted.taken.push(result);
  }
  return sorted;
}
