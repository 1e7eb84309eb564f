import { sql } from 'kysely';
import { inLane } from '../database/lanes.js';
import type { Services } from '../services.js';

/** Interval at which times of pings and of open streams are stored. */
const everyMs = 5_000;
/** A ping is stored as a sign of life if the last one is at least this old: heartbeats come every 30 s. */
const signOfLifeMs = 15_000;
/** Agents that one statement writes. */
const atOnce = 1_000;

/**
 * Gathers which agents are there, and stores it in one statement for many of them every few seconds. What is lost with
 * the process is at most that much; agents that are alive say so again.
 */
export class Presence {
  /** Agents that gave a sign of life since the last write. */
  private seen = new Set<string>();
  /** Agents whose streams are open: there, but perhaps behind a connection that nobody closed. */
  private readonly held = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly services: Pick<Services, 'db' | 'clock' | 'log'>) {}

  /** An agent asked for work. */
  note(agentId: string): void {
    this.seen.add(agentId);
    this.plan();
  }

  hold(agentId: string): void {
    this.held.add(agentId);
    this.note(agentId);
  }

  release(agentId: string): void {
    this.held.delete(agentId);
  }

  /** Stores what was noted and is not stored: before a decision that looks for the agents that are there. */
  async settle(): Promise<void> {
    await this.writing;
    if (this.seen.size > 0) await this.write();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.settle();
  }

  private plan(): void {
    if (this.timer || this.stopped) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.write(this.held).finally(() => {
        if (this.seen.size + this.held.size > 0) this.plan();
      });
    }, everyMs).unref();
  }

  /** Never rejects: the agents are there again in a moment. */
  private write(held: ReadonlySet<string> = new Set()): Promise<void> {
    const { seen } = this;
    this.seen = new Set();
    this.writing = this.writing.then(async () => {
      try {
        const ids = [...new Set([...seen, ...held])];
        for (let start = 0; start < ids.length; start += atOnce)
          await inLane('agents', () => this.store(ids.slice(start, start + atOnce), seen));
      } catch (error) {
        this.services.log.warn({ err: error }, 'the times of pings could not be stored');
      }
    });
    return this.writing;
  }

  /** Rows that another transaction holds are passed over, so that this waits for nobody and nobody is deadlocked. */
  private async store(ids: readonly string[], seen: ReadonlySet<string>): Promise<void> {
    const now = this.services.clock.now();
    const stale = new Date(now.getTime() - signOfLifeMs);
    const alive = ids.filter((id) => seen.has(id));
    await sql`
      update agents set pinged_at = ${now.toISOString()}::timestamptz,
        heartbeat_at = case when heard.now then ${now.toISOString()}::timestamptz else agents.heartbeat_at end,
        heard_ms = case when heard.now then coalesce((select listened_ms from listening_clocks where name = 'agents'), 0) else agents.heard_ms end
      from (
        select id, id = any(${alive}::uuid[]) and heartbeat_at < ${stale.toISOString()}::timestamptz as now
        from agents where id = any(${ids}::uuid[]) order by id for update skip locked
      ) as heard
      where agents.id = heard.id`.execute(this.services.db);
  }
}
