import { parseCollected } from './parse-collected.js';
import { parseCucumber } from './parse-cucumber.js';
import { parseJest } from './parse-jest.js';
import { parseJUnit } from './parse-junit.js';
import { parsePlaywright } from './parse-playwright.js';
import { parseRSpec } from './parse-rspec.js';
import { type ParsedResult, UnreadableResults } from './result.js';

/** The formats of test uploads (rest-facts 7.1). */
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
 * Reads the results out of an upload's data: the text of a file, or, where the whole body was JSON, what stood there.
 * Throws {@link UnreadableResults} with what is wrong about the data where it is not of the format.
 */
export function parseResults(format: UploadFormat, data: unknown): ParsedResult[] {
  if (format === 'junit') {
    if (typeof data !== 'string') throw new UnreadableResults('must be the text of an XML document');
    return parseJUnit(data);
  }
  return jsonParsers[format](typeof data === 'string' ? jsonOf(data) : data);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    throw new UnreadableResults('is not valid JSON');
  }
}
