import type { JobRow } from '../../../../entities/database.js';
import type { Services } from '../../../../services/services.js';
import { logStore } from '../log-store.js';
import { FilterWriter } from '../search/log-filters.js';
import { partsOf } from '../search/log-parts.js';
import { readerOfLines } from './lines-of-job.js';
import type { LogReader } from './log-reader.js';
import { stateOfLog } from './log-state.js';

/**
 * Reads the merged log of a finished job once, a mebibyte at a time, and stores what threads make of it: its filters,
 * and the extract of one that failed or the hashes of one that passed. Nothing is stored for a log that changes
 * meanwhile, and no filters where bytes of it are missing.
 */
export async function digestLog(services: Services, job: Pick<JobRow, 'id' | 'organizationId'>): Promise<void> {
  const state = await stateOfLog(services.db, job.id);
  if (state === null) {
    await services.db.deleteFrom('log_filters').where('jobId', '=', job.id).execute();
    return;
  }
  let damage = false;
  const isDamaged = () => damage;
  const store = { ...logStore(services, job.organizationId), onDamage: () => void (damage = true) };
  const ofLines = await readerOfLines(services, job, state);
  let readers: LogReader[] = [new FilterWriter(services, job, state), ...(ofLines ? [ofLines] : [])];
  for await (const bytes of partsOf({ store, view: { jobId: job.id, finished: true }, size: Infinity }, 0)) {
    const wantMore: LogReader[] = [];
    for (const reader of readers) if (await reader.part(bytes, isDamaged)) wantMore.push(reader);
    readers = wantMore;
    if (readers.length === 0) return;
  }
  for (const reader of readers) await reader.end();
}
