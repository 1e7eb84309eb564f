import { sql, type SqlBool } from 'kysely';
import { idFromEither } from '../../../domain/node-id.js';

/**
 * Condition on rows with a job, such as `events as e` with the alias `e`: those of the job with this uuid or node id;
 * all without one, none for a text that is no id.
 */
export function rowsOfJob(alias: string, job: string | null | undefined) {
  if (job == null) return sql<SqlBool>`true`;
  const id = idFromEither(job, ['Job']);
  return id === null ? sql<SqlBool>`false` : sql<SqlBool>`${sql.ref(`${alias}.jobId`)} = ${id}`;
}
