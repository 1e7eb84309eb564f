import type { Services } from '../services/services.js';
import { inLane } from '../database/lanes.js';

/** Size and state of a log, which change when there is more to read. */
interface LogState {
  size: number;
  state: string;
  deleted: boolean;
}

/**
 * Watches the sizes of subscribed logs in this process with one statement per round, and wakes the subscriptions of
 * changed logs. Reads only while there are subscriptions.
 */
export class LogWatch {
  private readonly followers = new Map<string, Set<(state: LogState) => void>>();
  private known = new Map<string, LogState>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly services: Services,
    private readonly everyMs = 400,
  ) {}

  /** Calls back whenever the job's log or state has changed; returns a function that stops it. */
  watch(jobId: string, changed: () => void): () => void {
    const of = this.followers.get(jobId) ?? new Set();
    this.followers.set(jobId, of.add(changed));
    this.plan();
    return () => {
      of.delete(changed);
      if (of.size > 0 || this.followers.get(jobId) !== of) return;
      this.followers.delete(jobId);
      this.known.delete(jobId);
    };
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  private plan(): void {
    if (this.timer || this.stopped || this.followers.size === 0) return;
    this.timer = setTimeout(() => {
      this.looking = inLane('background', () => this.look()).finally(() => {
        this.timer = undefined;
        this.plan();
      });
    }, this.everyMs).unref();
  }

  private async look(): Promise<void> {
    try {
      const ids = [...this.followers.keys()];
      if (ids.length === 0) return;
      const rows = await this.services.db
        .selectFrom('jobs')
        .select(['id', 'logSize', 'state', 'logDeletedAt'])
        .where('id', 'in', ids)
        .execute();
      const now = new Map(
        rows.map((row) => [row.id, { size: row.logSize, state: row.state, deleted: row.logDeletedAt !== null }]),
      );
      const gone: LogState = { size: 0, state: 'deleted', deleted: true };
      for (const id of ids) {
        const state = now.get(id) ?? gone;
        const before = this.known.get(id);
        if (before?.size === state.size && before.state === state.state && before.deleted === state.deleted) continue;
        this.known.set(id, state);
        for (const changed of this.followers.get(id) ?? []) changed(state);
      }
    } catch (error) {
      this.services.log.error({ err: error }, 'sizes of subscribed logs could not be read');
    }
  }
}
