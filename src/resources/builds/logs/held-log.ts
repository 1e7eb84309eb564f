import { sql } from 'kysely';
import { isId } from '../../../core/address.js';
import type { Context } from '../../../context.js';
import { compiled } from '../../../database/compiled.js';
import { rowAsColumns } from '../../../database/row-conversion.js';
import type { JobRow } from '../../../entities/database.js';
import type { ChunkPlace } from '../../../storage/logs/chunk-index.js';
import { callingAgent, type HeldJob, isOfAgent, mayNameJob, requireHolder } from '../jobs/held-job.js';
import { type FoundPlace, placeColumns, placeJoins, placeOf } from './chunk-index.js';

/** A job that the agent holds, with the place of a chunk in its log. */
export interface HeldLog extends HeldJob {
  place: ChunkPlace;
}

const jobWithPlace = compiled<{ jobId: string; sequence: number }, FoundPlace & { job: JobRow }>(
  'job-with-log-place',
  (_db, { jobId, sequence }) =>
    sql`select ${rowAsColumns('jobs', 'job', 'job')}, ${placeColumns} from jobs job ${placeJoins(sequence)} where job.id = ${jobId}`,
);

/** Finds a job that the agent holds, without a lock, and the place of a chunk in its log. */
export async function findHeldLog(context: Context, id: string, sequence: number): Promise<HeldLog | null> {
  if (!isId(id) || !mayNameJob(context, id)) return null;
  const [found] = await jobWithPlace(context.db, { jobId: id, sequence });
  if (!found || !isOfAgent(context, found.job)) return null;
  requireHolder(context, found.job);
  return { job: found.job, agent: callingAgent(context).agent, place: placeOf(found) };
}
