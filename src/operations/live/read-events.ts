import type { Db, EventRow } from '../../entities/database.js';

/** What a stream shows of an event; never its `data`, which may be large. */
export const shownColumns = [
  'id', 'organizationId', 'subject', 'subjectId', 'pipelineId', 'buildId', 'jobId', 'agentId', 'type', 'fromState', 'toState', 'reason', 'actorType', 'actorId',
  'sequence', 'createdAt', 'position',
] as const;
export type LiveEvent = Pick<EventRow, Exclude<(typeof shownColumns)[number], 'position'>> & { position: number };

/** The events a stream is about: those that bear an id, and of these the wanted ones. */
export interface Topic {
  key: 'buildId' | 'jobId' | 'organizationId';
  id: string;
  wants(event: LiveEvent): boolean;
}

const pageSize = 500;

/** A stretch of the order of events. */
export interface EventPage {
  events: LiveEvent[];
  /** Everything up to here has been looked at. */
  upTo: number;
}

/** The wanted events of a topic after one position up to another: one bounded page, in order; read again from its end. */
export async function readEvents(db: Db, topic: Topic, after: number, upTo: number): Promise<EventPage> {
  let query = db.selectFrom('events').select(shownColumns).where('position', '>', after).where('position', '<=', upTo).where(topic.key, '=', topic.id);
  // Within a build the order of positions is that of sequences, and there is an index of those; a job has few events.
  query = topic.key === 'organizationId' ? query.orderBy('position') : query.orderBy('sequence');
  const rows = (await query.limit(pageSize).execute()) as LiveEvent[];
  const last = rows.at(-1);
  return { events: rows.filter((event) => topic.wants(event)), upTo: rows.length === pageSize && last ? last.position : upTo };
}

/** All events after a position, of whatever: what one process reads once for all who follow. */
export async function readNextEvents(db: Db, after: number, limit: number): Promise<LiveEvent[]> {
  return (await db.selectFrom('events').select(shownColumns).where('position', '>', after).orderBy('position').limit(limit).execute()) as LiveEvent[];
}
