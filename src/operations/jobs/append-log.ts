import { z } from 'zod';
import type { Context } from '../../context.js';
import { isTerminal } from '../../domain/job-state.js';
import { wrongState } from '../../domain/problem.js';
import type { JobRow } from '../../entities/database.js';
import { appendChunk, type LogChunk } from '../../storage/logs/append-chunk.js';
import { logRef, logStore } from '../logs/log-store.js';
import { defineOperation } from '../operation.js';
import { findHeldJob, requireLiveToken } from './held-job.js';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/**
 * POST chunks (agent-protocol 6.1). Chunks may come in any order, again, and after the job's end. The bytes are
 * durable before their row is written, and the row before the answer (I2, I7). To the executor it is a query: no
 * transaction may stay open while bytes travel to storage, and each of its writes is one statement.
 */
export const appendLog = defineOperation({
  name: 'job.append-log',
  summary: 'Appends a chunk to the log of a job.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({
    job: z.string().max(300),
    /** Kept in an `int` column, as are the pieces made of chunks, with the sign turned. */
    sequence: count.max(2_147_483_646),
    offset: count,
    size: count,
    bytes: z.instanceof(Uint8Array),
  }),
  subject: (context, { job }) => findHeldJob(context, job),
  run: async (context, chunk, { job }): Promise<{ outcome: string }> => {
    requireLiveToken(context, job);
    if (job.startedAt === null) throw wrongState('The job has not started');
    if (job.logDeletedAt !== null) return { outcome: 'discarded' };
    if (isTerminal(job.state) && (await isMerged(context, job, chunk))) return { outcome: 'repeated' };
    const appended = await appendChunk(logStore(context.services, job.organizationId), logRef(job), chunk);
    if (appended.outcome === 'refused') throw wrongState(appended.message);
    if (appended.outcome === 'stored') await noteSize(context, job);
    return { outcome: appended.outcome };
  },
});

/** Whether the bytes of a finished job are part of a merged piece: their own row is gone then, so the number alone does not tell. */
async function isMerged(context: Context, job: JobRow, { offset, size }: LogChunk): Promise<boolean> {
  const covering = await logStore(context.services, job.organizationId).index.covering(job.id, offset);
  return covering.some((entry) => entry.sequence < 0 && entry.offset + entry.size >= offset + size);
}

/** Copies the size that is counted with the chunks, so that it is right again after any crash. */
async function noteSize(context: Context, job: JobRow): Promise<void> {
  const size = context.db.selectFrom('log_usage').select('bytes').where('jobId', '=', job.id);
  await context.db.updateTable('jobs').set((eb) => ({ logSize: eb.fn.coalesce(size, eb.lit(0)) })).where('id', '=', job.id).where('logDeletedAt', 'is', null).execute();
}
