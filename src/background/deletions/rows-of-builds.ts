import { sql } from 'kysely';
import type { Db } from '../../entities/database.js';
import type { DoomedRows } from './delete-some.js';

/** Bytes of an artifact in the storage: those of agents that stored theirs elsewhere are not ours. */
export const bytesOfArtifact = sql`case when state = 'finished' and upload_destination is null
  then file_size else 0 end`;

/** What is below a build, children first. The builds themselves go last: they say what is still to be purged. */
export const ofBuilds = (buildIds: readonly string[]): DoomedRows[] => {
  const ids = sql`any(${[...buildIds]}::uuid[])`;
  const where = sql`build_id = ${ids}`;
  const ofJobs = sql`job_id = any(array(select id from jobs where build_id = ${ids}))`;
  return [
    { table: 'log_chunks', where: ofJobs, bytes: sql`stored_size` },
    { table: 'log_usage', where: ofJobs },
    { table: 'log_header_times', where: ofJobs },
    { table: 'log_filters', where: ofJobs },
    // Behind the usage: who writes extracts, holds it.
    { table: 'log_extracts', where: ofJobs },
    { table: 'annotations', where },
    { table: 'artifacts', where, bytes: bytesOfArtifact },
    { table: 'events', where },
    { table: 'build_meta_data', where },
    { table: 'build_notifications', where },
    { table: 'commit_statuses', where },
    { table: 'commit_status_marks', where },
    { table: 'webhook_delivery_builds', where },
    { table: 'culprit_builds', where: sql`search_id in (select id from culprit_searches where build_id = ${ids})` },
    { table: 'culprit_searches', where },
    { table: 'step_uploads', where },
    { table: 'build_exports', where },
    { table: 'steps', where },
    { table: 'jobs', where },
  ];
};

/** Locks builds: everything that is added to a build, is added under its lock. */
export async function lockBuilds(trx: Db, ids: readonly string[]): Promise<void> {
  await trx.selectFrom('builds').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
}
