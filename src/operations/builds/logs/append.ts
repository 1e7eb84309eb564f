import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { isTerminal } from '../../../domain/builds/job-state.js';
import { wrongState } from '../../../domain/problem.js';
import type { JobRow } from '../../../entities/database.js';
import { appendChunk, type LogChunk } from '../../../storage/logs/append-chunk.js';
import { isPieceOf } from '../../../storage/logs/chunk-index.js';
import { logRef, logStore } from '../../../resources/builds/logs/log-store.js';
import { defineOperation } from '../../../core/operation.js';
import { refuseWithoutRoom } from '../../../core/storage-problem.js';
import { requireLiveToken } from '../../../resources/builds/jobs/held-job.js';
import { findHeldLog } from '../../../resources/builds/logs/held-log.js';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/**
 * POST chunks: appends a chunk to a job's log. Chunks may arrive in any order, repeatedly, and after the job's end.
 * Bytes are durable before their row is written, and the row before the reply. It has no transaction because none
 * may stay open while bytes travel to storage; each of its writes is one statement.
 */
export const appendLog = defineOperation({
  name: 'job.append-log',
  summary: 'Appends a chunk to the log of a job.',
  kind: 'command',
  inTransaction: false,
  // Agents send a chunk a second: the log itself is the record.
  audited: false,
  scope: null,
  access: 'internal',
  input: z.object({
    job: z.string().max(300),
    /** Largest chunk sequence: the column is an `int`, which merged pieces use with a negative sign. */
    sequence: count.max(2_147_483_646),
    offset: count,
    size: count,
    bytes: z.instanceof(Uint8Array),
    /** The same bytes as gzip, where they came so: stored as they are. */
    gzip: z.instanceof(Uint8Array).nullish(),
  }),
  subject: (context, { job, sequence }) => findHeldLog(context, job, sequence),
  run: async (context, chunk, { job, place }): Promise<{ outcome: string }> => {
    requireLiveToken(context, job);
    if (job.startedAt === null) throw wrongState('The job has not started');
    if (job.logDeletedAt !== null) return { outcome: 'discarded' };
    if (isTerminal(job.state) && (await isMerged(context, job, chunk))) return { outcome: 'repeated' };
    await refuseWithoutRoom(context.services, chunk.bytes.byteLength);
    const appended = await appendChunk(logStore(context.services, job.organizationId), logRef(job), chunk, place);
    if (appended.outcome === 'refused') throw wrongState(appended.message);
    return { outcome: appended.outcome };
  },
});

/**
 * Whether a chunk of a finished job is already part of a merged piece. Its own row is deleted then, so its sequence
 * number does not identify it.
 */
async function isMerged(
  context: Context,
  job: Pick<JobRow, 'id' | 'organizationId'>,
  chunk: LogChunk,
): Promise<boolean> {
  const covering = await logStore(context.services, job.organizationId).index.covering(job.id, chunk.offset);
  return covering.some((entry) => isPieceOf(entry, chunk));
}
