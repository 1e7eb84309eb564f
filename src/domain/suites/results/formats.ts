import { cutFailure } from './failure-size.js';
import { parseCollected } from './parse-collected.js';
import { parseCucumber } from './parse-cucumber.js';
import { parseJest } from './parse-jest.js';
import { parseJUnit } from './parse-junit.js';
import { parsePlaywright } from './parse-playwright.js';
import { parseRSpec } from './parse-rspec.js';
import { limits } from '../../limits/limits.js';
import { type ParsedResult, type ReadResults, UnreadableResults } from './result.js';

/** The formats of test uploads. */
export const uploadFormats = ['json', 'junit', 'rspec-json', 'jest-json', 'playwright-json', 'cucumber-json'] as const;
export type UploadFormat = (typeof uploadFormats)[number];

const jsonParsers: Record<Exclude<UploadFormat, 'junit'>, (data: unknown) => ParsedResult[]> = {
  json: parseCollected,
  'rspec-json': parseRSpec,
  'jest-json': parseJest,
  'playwright-json': parsePlaywright,
  'cucumber-json': parseCucumber,
};

/**
 * Reads the results from an upload's data: the text of a file or, if the whole body was JSON, its value. Throws {@link
 * UnreadableResults} with the reason if the data is not of the format.
 */
export function parseResults(format: UploadFormat, data: unknown): ParsedResult[] {
  if (format === 'junit') {
    if (typeof data !== 'string') throw new UnreadableResults('must be the text of an XML document');
    return parseJUnit(data);
  }
  return jsonParsers[format](typeof data === 'string' ? jsonOf(data) : data);
}

/**
 * Like {@link parseResults}, with at most one result more than an upload may have, failures cut to their limit, and
 * without throwing.
 */
export function readResults(format: UploadFormat, data: unknown): ReadResults {
  try {
    return {
      ok: true,
      results: parseResults(format, data)
        .slice(0, limits.testResultsPerUpload + 1)
        .map(cutFailure),
    };
  } catch (error) {
    if (error instanceof UnreadableResults) return { ok: false, problem: error.message };
    throw error;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    throw new UnreadableResults('is not valid JSON');
  }
}
