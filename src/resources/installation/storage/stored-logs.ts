import { sql } from 'kysely';
import { isSettled, type StoredObjectKind } from './stored-object-kind.js';

const logObject = /^organizations\/[^/]+\/builds\/[^/]+\/jobs\/([0-9a-f-]{36})\/log\//;

/** Chunks and merged pieces of logs, owned by rows of `log_chunks`. */
export const storedLogs: StoredObjectKind = {
  name: 'logs',

  orphans: async (services, objects) => {
    const { db } = services;
    const logs = objects.flatMap((object) => {
      const jobId = logObject.exec(object.key)?.[1];
      return jobId === undefined ? [] : [{ ...object, jobId }];
    });
    if (logs.length === 0) return [];
    const jobIds = [...new Set(logs.map(({ jobId }) => jobId))];
    const keys = logs.map(({ key }) => key);
    const rows = await db
      .selectFrom('log_chunks')
      .select('storedKey')
      .where('jobId', 'in', jobIds)
      .where('storedKey', 'in', keys)
      .execute();
    const jobs = await db.selectFrom('jobs').select(['id', 'finishedAt']).where('id', 'in', jobIds).execute();
    const owned = new Set(rows.map(({ storedKey }) => storedKey));
    const jobEnds = new Map(jobs.map(({ id, finishedAt }) => [id, finishedAt]));
    return logs.filter(({ key, jobId }) => {
      const finishedAt = jobEnds.get(jobId);
      const takesNoChunks = !jobEnds.has(jobId) || (finishedAt != null && isSettled(services, finishedAt));
      return takesNoChunks && !owned.has(key);
    });
  },

  rowsAfter: async ({ db }, cursor, limit) => {
    let query = db
      .selectFrom('log_chunks')
      .select(['jobId', 'sequence', 'storedKey'])
      .orderBy('jobId')
      .orderBy('sequence')
      .limit(limit);
    if (cursor) query = query.where(sql<boolean>`(job_id, sequence) > (${cursor[0]}::uuid, ${cursor[1]}::int)`);
    return (await query.execute()).map(({ jobId, sequence, storedKey }) => ({
      cursor: [jobId, sequence],
      key: storedKey,
      names: { jobId, sequence },
    }));
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
};
