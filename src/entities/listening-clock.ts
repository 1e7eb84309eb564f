import { defineEntity, p } from '@mikro-orm/core';
import { atOrNull } from './columns.js';

/**
 * How long this installation has listened, all replicas together: the clock by which the silence of agents is measured.
 * It stands still while no replica could have heard an agent, and is independent of the time of day.
 */
export const ListeningClockSchema = defineEntity({
  name: 'ListeningClock',
  tableName: 'listening_clocks',
  properties: {
    /** `agents`: there is no other row. */
    name: p.text().primary(),
    /** Milliseconds listened since the installation was made. */
    listenedMs: p.bigint('number').default(0),
    /** When a replica last said that it listens, by its own clock. */
    lookedAt: atOrNull(),
    /**
     * Value of `listenedMs` when deadlines were last moved because the time of day jumped, and the size of the jump.
     */
    shiftedMs: p.bigint('number').default(0),
    shiftedByMs: p.bigint('number').default(0),
  },
});
