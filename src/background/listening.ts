import { sql } from 'kysely';
import type { Services } from '../services/services.js';
import { inTransaction } from '../database/transaction.js';
import { clockJumpMs, graceAfterSilenceMs, listeningGapMs, type Look, progress } from '../domain/agents/listening.js';
import { liveAgentStates } from '../domain/agents/agent-state.js';
import { postponeDeadlines } from '../engine/state/jobs.js';
import { sqlList } from '../entities/sql-list.js';
import type { Db } from '../entities/database.js';

/** The database is read at most this often, or at once after a clock jump. */
const lookEveryMs = 2_000;
/** Replicas of one machine see the same jump: one of them moves the deadlines. */
const sameJumpWithinMs = 60_000;
const sameJumpByMs = 2_000;
/**
 * After the clock jumped forward by an hour or more, nothing is deleted by age for a day: an operator may set it right.
 */
const leapMs = 60 * 60_000;
const keepAfterLeapMs = 24 * 60 * 60_000;

type Installation = Pick<Services, 'db' | 'clock' | 'log'>;

/**
 * Knowledge of one replica about the time during which agents could be heard. The shared clock is a row, which every
 * listening replica advances by the time it listened itself. It advances while any replica listens, never faster than
 * time, and stands still while none does: during a stop, a frozen process, or a database that does not answer.
 */
export class Listening {
  private last: Look | null = null;
  /** Monotonic time since which nothing has interrupted this replica. */
  private calmSince = Number.NEGATIVE_INFINITY;
  private leaptAt = Number.NEGATIVE_INFINITY;
  private looking: Promise<void> | null = null;

  /**
   * Advances the shared clock. Rejects if the database does not answer; the next call then shows how long that took.
   */
  async look(services: Installation): Promise<void> {
    const { last } = this;
    const passed = last ? services.clock.monotonic() - last.monotonicMs : Number.POSITIVE_INFINITY;
    const jumped = last !== null && Math.abs(services.clock.now().getTime() - last.wallMs - passed) >= clockJumpMs;
    if (passed < lookEveryMs && !jumped) return;
    this.looking ??= this.ask(services).finally(() => {
      this.looking = null;
    });
    await this.looking;
  }

  /** Whether missed deadlines of agents and uploaders count: they have had time to reconnect. */
  holdsDeadlines({ clock }: Pick<Services, 'clock'>): boolean {
    return clock.monotonic() - this.calmSince >= graceAfterSilenceMs;
  }

  /** Whether rows may be deleted by age: not soon after the clock jumped forward. */
  trustsAges({ clock }: Pick<Services, 'clock'>): boolean {
    return clock.monotonic() - this.leaptAt >= keepAfterLeapMs;
  }

  private async ask(services: Installation): Promise<void> {
    const { clock } = services;
    const now = { monotonicMs: clock.monotonic(), wallMs: clock.now().getTime() };
    const { listenedMs, jumpedMs } = await inTransaction(services.db, 'listening', (trx) => this.moveOn(trx, now));
    if (jumpedMs !== 0)
      services.log.warn({ jumped_ms: jumpedMs }, 'the time of day jumped: pending deadlines move with it');
    if (jumpedMs >= leapMs) this.leaptAt = now.monotonicMs;
    this.last = { ...now, listenedMs };
  }

  private async moveOn(trx: Db, now: Omit<Look, 'listenedMs'>): Promise<{ listenedMs: number; jumpedMs: number }> {
    const { rows } = await sql<{
      listenedMs: number;
      shiftedMs: number;
      shiftedByMs: number;
      lookedAt: Date | null;
      live: boolean;
    }>`
      select listened_ms, shifted_ms, shifted_by_ms, looked_at, exists (select 1 from agents where
        connection_state in ${sql.raw(sqlList(liveAgentStates))}) as live
      from listening_clocks where name = 'agents' for update`.execute(trx);
    const [row] = rows;
    if (!row) throw new Error('the listening clock is missing');
    const next = progress(this.last, { ...now, listenedMs: row.listenedMs });
    // A process that starts beside others, or just after another ended, takes over where they are.
    const nobodyListened =
      row.live &&
      (this.last !== null || row.lookedAt === null || Math.abs(now.wallMs - row.lookedAt.getTime()) > listeningGapMs);
    if (!next.continuous && nobodyListened) this.calmSince = now.monotonicMs;
    const shiftedAlready =
      row.listenedMs - row.shiftedMs < sameJumpWithinMs && Math.abs(row.shiftedByMs - next.jumpedMs) < sameJumpByMs;
    const shift = shiftedAlready ? 0 : next.jumpedMs;
    if (shift !== 0) await moveDeadlines(trx, shift);
    if (row.live || shift !== 0) {
      await trx
        .updateTable('listening_clocks')
        .set({
          listenedMs: next.listenedMs,
          lookedAt: new Date(now.wallMs),
          ...(shift === 0 ? {} : { shiftedMs: next.listenedMs, shiftedByMs: shift }),
        })
        .where('name', '=', 'agents')
        .execute();
    }
    return { listenedMs: row.live ? next.listenedMs : row.listenedMs, jumpedMs: next.jumpedMs };
  }
}

/**
 * Moves pending deadlines, which are times of day set before the jump. Few rows: jobs held by agents, and running suite
 * runs.
 */
async function moveDeadlines(trx: Db, byMs: number): Promise<void> {
  await postponeDeadlines(trx, byMs);
  await sql`update suite_runs set deadline_at = deadline_at + make_interval(secs =>
    ${byMs / 1000}::float8) where deadline_at is not null`.execute(trx);
}
