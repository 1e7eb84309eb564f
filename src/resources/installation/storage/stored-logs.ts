import { sql } from 'kysely';
import { rebuildRun } from '../../../storage/logs/rebuild-run.js';
import { logStore } from '../../builds/logs/log-store.js';
import type { StoredObjectKind } from './stored-object-kind.js';

const logObject = /^organizations\/[^/]+\/builds\/[^/]+\/jobs\/([0-9a-f-]{36})\/log\//;

/** Longer than a job's token is valid after its end: no chunk is on its way any more. */
const takesChunksForMs = 2 * 60 * 60_000;

/** Chunks and merged pieces of logs, owned by rows of `log_chunks`. */
export const storedLogs: StoredObjectKind = {
  name: 'logs',

  has: (key) => logObject.test(key),

  orphans: async ({ db, clock }, keys) => {
    const jobIdOf = (key: string) => logObject.exec(key)?.[1] ?? '';
    const jobIds = [...new Set(keys.map(jobIdOf))];
    const rows = await db
      .selectFrom('log_chunks')
      .select('storedKey')
      .where('jobId', 'in', jobIds)
      .where('storedKey', 'in', keys)
      .execute();
    const jobs = await db.selectFrom('jobs').select(['id', 'finishedAt']).where('id', 'in', jobIds).execute();
    const owned = new Set(rows.map(({ storedKey }) => storedKey));
    const jobEnds = new Map(jobs.map(({ id, finishedAt }) => [id, finishedAt]));
    const longAgo = clock.now().getTime() - takesChunksForMs;
    const takesChunks = (jobId: string) => {
      const finishedAt = jobEnds.get(jobId);
      return jobEnds.has(jobId) && (finishedAt == null || finishedAt.getTime() >= longAgo);
    };
    return new Set(keys.filter((key) => !owned.has(key) && !takesChunks(jobIdOf(key))));
  },

  rowsAfter: async ({ db }, cursor, limit) => {
    let query = db
      .selectFrom('log_chunks')
      .select(['jobId', 'sequence', 'storedKey', 'storedSize', 'organizationId', 'startOffset', 'size'])
      .orderBy('jobId')
      .orderBy('sequence')
      .limit(limit);
    if (cursor) query = query.where(sql<boolean>`(job_id, sequence) > (${cursor[0]}::uuid, ${cursor[1]}::int)`);
    return (await query.execute()).map(
      ({ jobId, sequence, storedKey, storedSize, organizationId, startOffset, size }) => ({
        cursor: [jobId, sequence],
        key: storedKey,
        size: storedSize,
        sha256: null,
        run: { organizationId, jobId, offset: startOffset, size },
      }),
    );
  },

  isOwner: async ({ db }, { cursor: [jobId, sequence], key }) => {
    const row = await db
      .selectFrom('log_chunks')
      .select('jobId')
      .where('jobId', '=', jobId)
      .where('sequence', '=', sequence)
      .where('storedKey', '=', key)
      .executeTakeFirst();
    return row !== undefined;
  },

  rebuild: async (services, { key, run }) =>
    run && rebuildRun(logStore(services, run.organizationId), run.jobId, { key, offset: run.offset, size: run.size }),
};
