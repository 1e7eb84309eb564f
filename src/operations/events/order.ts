import { sql, type SqlBool } from 'kysely';
import { idFromEither } from '../../domain/node-id.js';
import type { EventRow } from '../../entities/database.js';
import type { Ordering } from '../paging.js';

/** In the order they happened, which each build counts. */
export const bySequence: Ordering<EventRow> = { column: 'e.sequence', id: 'e.id', direction: 'asc', key: (event) => event.sequence, type: 'int' };

/** A condition on `events as e`: those of the job of this uuid or node id; all where none is given, none where it is no id. */
export function eventsOfJob(job: string | null | undefined) {
  if (job == null) return sql<SqlBool>`true`;
  const id = idFromEither(job, ['Job']);
  return id === null ? sql<SqlBool>`false` : sql<SqlBool>`e.job_id = ${id}`;
}
