import { defineEntity, p } from '@mikro-orm/core';

/**
 * The single row behind the order of events: positions are assigned and forgotten under its lock (docs/decisions/0004).
 */
export const EventStreamSchema = defineEntity({
  name: 'EventStream',
  tableName: 'event_streams',
  properties: {
    /** `events`: there is no other row. */
    name: p.text().primary(),
    /** The position given last. */
    lastPosition: p.bigint('number').default(0),
    /** The highest position whose event is deleted for its age: a stream cannot start before it. */
    forgottenPosition: p.bigint('number').default(0),
  },
});
