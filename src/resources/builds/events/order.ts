import { sql, type SqlBool } from 'kysely';
import { idFromEither } from '../../../domain/node-id.js';
import type { EventRow } from '../../../entities/database.js';
import type { Ordering } from '../../../core/paging.js';

/** Order of events: by the sequence of each build. */
export const bySequence: Ordering<EventRow> = {
  column: 'e.sequence',
  id: 'e.id',
  direction: 'asc',
  key: (event) => event.sequence,
  type: 'int',
};

/**
 * Condition on `events as e`: events of the job with this uuid or node id; all without one, none for a text that is no
 * id.
 */
export function eventsOfJob(job: string | null | undefined) {
  if (job == null) return sql<SqlBool>`true`;
  const id = idFromEither(job, ['Job']);
  return id === null ? sql<SqlBool>`false` : sql<SqlBool>`e.job_id = ${id}`;
}
