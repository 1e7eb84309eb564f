import { type RawBuilder, sql } from 'kysely';

/** Columns of a sign of life: the time of day to display, the listening clock for the rule of lost agents. */
export function heardAt(now: Date): { heartbeatAt: Date; heardMs: RawBuilder<number> } {
  return {
    heartbeatAt: now,
    heardMs: sql<number>`coalesce((select listened_ms from listening_clocks where name = 'agents'), 0)`,
  };
}
