import type { Db, EventRow } from '../entities/database.js';

/** Columns of an event in a stream, without `data`, which may be large. */
export const shownColumns = [
  'id',
  'organizationId',
  'subject',
  'subjectId',
  'pipelineId',
  'buildId',
  'jobId',
  'agentId',
  'type',
  'fromState',
  'toState',
  'reason',
  'actorType',
  'actorId',
  'sequence',
  'createdAt',
  'position',
] as const;
export type LiveEvent = Pick<EventRow, Exclude<(typeof shownColumns)[number], 'position'>> & { position: number };

/** Topic of a stream: events with an id, and of these the selected types. */
export interface Topic {
  key: 'buildId' | 'jobId' | 'organizationId';
  id: string;
  wants(event: LiveEvent): boolean;
}

const pageSize = 500;

/** A page of the event stream. */
export interface EventPage {
  events: LiveEvent[];
  /** Position up to which all events have been read. */
  upTo: number;
}

/**
 * The wanted events of a topic after one position up to another: one bounded page, in order; read again from its end.
 */
export async function readEvents(db: Db, topic: Topic, after: number, upTo: number): Promise<EventPage> {
  let query = db
    .selectFrom('events')
    .select(shownColumns)
    .where('position', '>', after)
    .where('position', '<=', upTo)
    .where(topic.key, '=', topic.id);
  // Within a build the order of positions is that of sequences, and there is an index of those; a job has few events.
  query = topic.key === 'organizationId' ? query.orderBy('position') : query.orderBy('sequence');
  const rows = (await query.limit(pageSize).execute()) as LiveEvent[];
  const last = rows.at(-1);
  return {
    events: rows.filter((event) => topic.wants(event)),
    upTo: rows.length === pageSize && last ? last.position : upTo,
  };
}

/** Reads all events after a position, for all subscribers of the process. */
export async function readNextEvents(db: Db, after: number, limit: number): Promise<LiveEvent[]> {
  return (await db
    .selectFrom('events')
    .select(shownColumns)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute()) as LiveEvent[];
}
