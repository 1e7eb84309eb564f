import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { callerOf } from '../../../auth/caller.js';
import type { Context } from '../../../request/context.js';
import { outsideTransaction } from '../../../database/transaction.js';
import { readResults, type UploadFormat } from '../../../domain/suites/results/formats.js';
import { type ReadReport, readReport, uploadFingerprint } from '../../../domain/suites/results/report.js';
import { type ReadResults, type SortedResults, sortResults } from '../../../domain/suites/results/result.js';
import { readTags } from '../../../domain/suites/results/tags.js';
import { TaskTooDear } from '../../../workers/pool.js';
import { tasks } from '../../../workers/tasks.js';
import { readRunEnv, type RunEnv } from './run-env.js';

/** Problem of a report that was not read. */
type Refused = Extract<ReadResults, { ok: false }>;

/** Fields of an upload, in camelCase; a `data` of bytes is UTF-8. */
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
  const read = await readData(context, upload);
  if (!read.ok) throw invalidField('data', read.problem);
  if (read.results.length > limits.testResultsPerUpload)
    throw invalidField(
      'data',
      `has more than ${limits.testResultsPerUpload} results; send them in several uploads with the same key`,
    );
  const { taken: accepted, refusals } = sortResults(read.results);
  // Tags of an execution take precedence over those of the upload.
  const tagged = accepted.map((result) => ({ ...result, tags: { ...shared.tags, ...result.tags } }));
  return { env, taken: tagged, refusals, fingerprint: read.fingerprint };
}

/**
 * Reads a report, a large one in a thread, where its hash is made, too: either would hold up everybody for a tenth of a
 * second. Data of a JSON body that is no text is parsed already, and bounded in its values.
 */
async function readData(
  { services, actor }: Context,
  { format, runEnv, tags, data }: UploadInput,
): Promise<ReadReport | Refused> {
  const facts = JSON.stringify([format, runEnv, tags ?? null]);
  if (typeof data !== 'string' && !(data instanceof Uint8Array))
    return { ...readResults(format, data), fingerprint: uploadFingerprint(facts, JSON.stringify(data)) };
  if (data.length <= tasks['results.parse'].smallSize) return readReport({ format, facts, data });
  return outsideTransaction('results.parse', async () => {
    try {
      return await services.workers.run('results.parse', callerOf(actor), { format, facts, data });
    } catch (error) {
      if (!(error instanceof TaskTooDear)) throw error;
      return {
        ok: false,
        problem: `takes too much ${error.limit} to be read; send it in several uploads with the same key`,
      };
    }
  });
}
