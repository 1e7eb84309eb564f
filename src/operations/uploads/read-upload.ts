import { createHash } from 'node:crypto';
import { limits } from '../../domain/limits.js';
import { invalidField } from '../../domain/problem.js';
import { parseResults, type UploadFormat } from '../../domain/test-results/formats.js';
import { type ParsedResult, type SortedResults, sortResults, UnreadableResults } from '../../domain/test-results/result.js';
import { readTags } from '../../domain/test-results/tags.js';
import { readRunEnv, type RunEnv } from './run-env.js';

/** An upload as it arrives, under our names. */
export interface GivenUpload {
  format: UploadFormat;
  runEnv: Readonly<Record<string, unknown>>;
  tags?: unknown;
  data: unknown;
}

export interface ReadUpload extends SortedResults {
  env: RunEnv;
  /** Hash of everything it says: what is sent again has the same. */
  fingerprint: string;
}

/** Reads and checks a whole upload before anything is touched; refuses what is not of its format, or has too many results. */
export function readUpload(given: GivenUpload): ReadUpload {
  const env = readRunEnv(given.runEnv);
  const shared = readTags(given.tags);
  if ('problem' in shared) throw invalidField('tags', shared.problem);
  const parsed = parse(given);
  if (parsed.length > limits.testResultsPerUpload) throw invalidField('data', `has more than ${limits.testResultsPerUpload} results; send them in several uploads with the same key`);
  const { taken, refusals } = sortResults(parsed);
  // What an execution says of itself wins over what the whole upload says.
  const tagged = taken.map((result) => ({ ...result, tags: { ...shared.tags, ...result.tags } }));
  return { env, taken: tagged, refusals, fingerprint: fingerprintOf(given) };
}

function parse({ format, data }: GivenUpload): ParsedResult[] {
  try {
    return parseResults(format, data);
  } catch (error) {
    if (error instanceof UnreadableResults) throw invalidField('data', error.message);
    throw error;
  }
}

function fingerprintOf({ format, runEnv, tags, data }: GivenUpload): string {
  const hash = createHash('sha256').update(JSON.stringify([format, runEnv, tags ?? null]));
  return hash.update(typeof data === 'string' ? data : JSON.stringify(data)).digest('hex');
}
