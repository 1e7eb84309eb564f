import { inLane } from '../database/lanes.js';
import { storePings } from '../engine/state/agents.js';
import type { Services } from '../services/services.js';

/** Interval at which times of pings and of open streams are stored. */
const everyMs = 5_000;
/**
 * An open stream is stored again when this old, which is at every second write: an agent counts as there for 15 s
 * (`engine/agents/prefer-agents.ts`), so a stream that one write skips is still stored in time.
 */
const streamEveryMs = 9_000;
/** A ping is stored as a sign of life if the last one is at least this old: heartbeats come every 30 s. */
const signOfLifeMs = 15_000;
/**
 * A ping that waited longer than this to be stored is no sign of life any more: the process stood still meanwhile, and
 * so did the time for which agents are listened to.
 */
const oldPingMs = 2 * everyMs;
/** Agents that one statement writes. */
const atOnce = 1_000;

/**
 * Gathers which agents are there, and stores it in one statement for many of them every few seconds. What is lost with
 * the process is at most that much; agents that are alive say so again.
 */
export class LastSeen {
  /** Agents that gave a sign of life since the last write, with the monotonic time of the last one. */
  private pings = new Map<string, number>();
  /** Pings of the writes that are under way. */
  private readonly storing = new Set<ReadonlyMap<string, number>>();
  /**
   * Agents whose streams are open, there but perhaps behind a connection that nobody closed, with the monotonic time as
   * of which they are stored.
   */
  private readonly streaming = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly services: Pick<Services, 'db' | 'clock' | 'log'>) {}

  /** Notes the ping of an agent. */
  note(agentId: string): void {
    this.pings.set(agentId, this.services.clock.monotonic());
    this.plan();
  }

  hold(agentId: string): void {
    this.streaming.set(agentId, Number.NEGATIVE_INFINITY);
    this.note(agentId);
  }

  release(agentId: string): void {
    this.streaming.delete(agentId);
  }

  /**
   * Agents that gave a sign of life which is not stored yet: for a decision that looks for the agents that are there.
   */
  unstored(): string[] {
    return [...new Set([this.pings, ...this.storing].flatMap((noted) => [...noted.keys()]))];
  }

  /** Stores what was noted and is not stored. */
  async settle(): Promise<void> {
    await this.writing;
    if (this.pings.size > 0) await this.write();
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
      void this.write(this.dueStreams()).finally(() => {
        if (this.pings.size + this.streaming.size > 0) this.plan();
      });
    }, everyMs).unref();
  }

  private dueStreams(): string[] {
    const now = this.services.clock.monotonic();
    return [...this.streaming].flatMap(([id, storedAt]) => (now - storedAt >= streamEveryMs ? [id] : []));
  }

  /** Never rejects: agents ping again within seconds. */
  private write(streaming: readonly string[] = []): Promise<void> {
    const { pings: pingTimes } = this;
    this.pings = new Map();
    this.storing.add(pingTimes);
    this.writing = this.writing.then(async () => {
      try {
        const ids = [...new Set([...pingTimes.keys(), ...streaming])];
        for (let start = 0; start < ids.length; start += atOnce)
          await inLane('agents', () => this.store(ids.slice(start, start + atOnce), pingTimes));
      } catch (error) {
        this.services.log.warn({ err: error }, 'the times of pings could not be stored');
      } finally {
        this.storing.delete(pingTimes);
      }
    });
    return this.writing;
  }

  /**
   * Stores the pings as of the time at which they came, which may be a few seconds ago. Rows that another transaction
   * holds are passed over, so that this waits for nobody and nobody is deadlocked.
   */
  private async store(ids: readonly string[], pingTimes: ReadonlyMap<string, number>): Promise<void> {
    const { clock, db } = this.services;
    const now = clock.now();
    const ages = ids.map((id) => Math.max(0, Math.round(clock.monotonic() - (pingTimes.get(id) ?? clock.monotonic()))));
    const alive = ids.map((id, index) => pingTimes.has(id) && ages[index]! <= oldPingMs);
    const stored = await storePings(db, { ids, ages, alive }, now, signOfLifeMs);
    // Where one was passed over, all of them are stored again next time.
    if (stored !== ids.length) return;
    ids.forEach((id, index) => {
      if (this.streaming.has(id)) this.streaming.set(id, clock.monotonic() - ages[index]!);
    });
  }
}
