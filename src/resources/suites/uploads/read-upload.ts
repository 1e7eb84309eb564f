import { webcrypto } from 'node:crypto';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { callerOf } from '../../../auth/caller.js';
import type { Context } from '../../../request/context.js';
import { outsideTransaction } from '../../../database/transaction.js';
import { nextTurn } from '../../../event-loop/turns.js';
import { readResults, type UploadFormat } from '../../../domain/suites/results/formats.js';
import {
  type ParsedResult,
  type ReadResults,
  type SortedResults,
  sortResults,
} from '../../../domain/suites/results/result.js';
import { readTags } from '../../../domain/suites/results/tags.js';
import { TaskTooDear } from '../../../workers/pool.js';
import { tasks } from '../../../workers/tasks.js';
import { readRunEnv, type RunEnv } from './run-env.js';

/** Texts above this length are worked on in a turn of the event loop of their own. */
const ownTurnLength = 1024 * 1024;

/** Fields of an upload, in camelCase. */
export interface UploadInput {
  format: UploadFormat;
  runEnv: Readonly<Record<string, unknown>>;
  tags?: unknown;
  data: unknown;
}

export interface ReadUpload extends SortedResults {
  env: RunEnv;
  /** Hash of the whole upload, the same when it is sent again. */
  fingerprint: string;
}

/** Validates a whole upload before anything is written; throws if it is not of its format, or has too many results. */
export async function readUpload(context: Context, upload: UploadInput): Promise<ReadUpload> {
  const env = readRunEnv(upload.runEnv);
  const shared = readTags(upload.tags);
  if ('problem' in shared) throw invalidField('tags', shared.problem);
  const fingerprint = await fingerprintOf(upload);
  const parsed = await resultsOf(context, upload, fingerprint);
  if (parsed.length > limits.testResultsPerUpload)
    throw invalidField(
      'data',
      `has more than ${limits.testResultsPerUpload} results; send them in several uploads with the same key`,
    );
  const { taken: accepted, refusals } = sortResults(parsed);
  // Tags of an execution take precedence over those of the upload.
  const tagged = accepted.map((result) => ({ ...result, tags: { ...shared.tags, ...result.tags } }));
  return { env, taken: tagged, refusals, fingerprint };
}

async function resultsOf(context: Context, upload: UploadInput, fingerprint: string): Promise<ParsedResult[]> {
  const read = await readData(context, upload, fingerprint);
  if (!read.ok) throw invalidField('data', read.problem);
  return read.results;
}

/**
 * Reads the text of a report, a large one in a thread; data of a JSON body is parsed already, and bounded in its
 * values.
 */
async function readData(
  { services, actor }: Context,
  { format, data }: UploadInput,
  fingerprint: string,
): Promise<ReadResults> {
  if (typeof data !== 'string' || data.length <= tasks['results.parse'].smallSize) return readResults(format, data);
  return outsideTransaction(`results.parse ${fingerprint}`, async () => {
    try {
      return await services.workers.run('results.parse', callerOf(actor), { format, text: data });
    } catch (error) {
      if (!(error instanceof TaskTooDear)) throw error;
      return {
        ok: false,
        problem: `takes too much ${error.limit} to be read; send it in several uploads with the same key`,
      };
    }
  });
}

/**
 * Computed in a thread: hashing the largest upload would hold up everybody for a tenth of a second. Its bytes are made
 * once, in a turn of the event loop of their own, beside what brought the text here.
 */
async function fingerprintOf({ format, runEnv, tags, data }: UploadInput): Promise<string> {
  const facts = JSON.stringify([format, runEnv, tags ?? null]);
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  if (text.length > ownTurnLength) await nextTurn();
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(facts) + Buffer.byteLength(text));
  bytes.write(text, bytes.write(facts));
  const hash = await webcrypto.subtle.digest('SHA-256', bytes);
  return Buffer.from(hash).toString('hex');
}
