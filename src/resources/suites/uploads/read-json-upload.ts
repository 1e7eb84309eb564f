import type { JsonUpload } from '../../../domain/suites/results/json-upload.js';
import { Problem } from '../../../domain/problem.js';
import type { Services } from '../../../services/services.js';
import { TaskTooDear } from '../../../workers/pool.js';

/**
 * Reads an upload that is one JSON object, a large one in a thread: its keys and values are the sender's to choose.
 * Throws `malformed` for other bytes and for one that takes too much.
 */
export async function readJsonUpload({ workers }: Services, caller: string, bytes: Uint8Array): Promise<JsonUpload> {
  try {
    const read = await workers.run('upload.read', caller, { bytes });
    if (read.ok) return read.upload;
    throw new Problem('malformed', read.problem);
  } catch (error) {
    if (!(error instanceof TaskTooDear)) throw error;
    throw new Problem(
      'malformed',
      `The upload takes too much ${error.limit} to be read; send it in several with the same key`,
    );
  }
}
