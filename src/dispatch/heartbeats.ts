import DataLoader from 'dataloader';
import { inLane } from '../database/lanes.js';
import { storeHeartbeats } from '../engine/state/agents.js';
import type { Services } from '../services/services.js';
import { gathered } from './gathered.js';

const atOnce = 500;
/** Least time between two statements: an agent does not wait for its answer, and beats again in 30 s. */
const gatherMs = 100;

/**
 * Stores heartbeats of live agents by the hashes of their session tokens: one statement authenticates and stores all
 * that came while the one before was under way, and for {@link gatherMs} after it began. A heartbeat is answered once
 * it is stored.
 */
export class Heartbeats {
  private readonly loader: DataLoader<string, string | null>;
  private storing: Promise<unknown> = Promise.resolve();
  private storedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly services: Pick<Services, 'db' | 'clock'>) {
    this.loader = new DataLoader((hashes) => this.store(hashes), {
      cache: false,
      maxBatchSize: atOnce,
      batchScheduleFn: gathered(
        () => this.storing,
        () => this.storedAt + gatherMs,
      ),
    });
  }

  /**
   * Resolves to the agent's id; to null if nothing was stored, because the session is unknown, the agent was lost and
   * comes back, or another transaction holds its row.
   */
  beat(sessionTokenHash: string): Promise<string | null> {
    return this.loader.load(sessionTokenHash);
  }

  private async store(hashes: readonly string[]): Promise<(string | null)[]> {
    this.storedAt = performance.now();
    const now = this.services.clock.now();
    const stored = inLane('agents', () => storeHeartbeats(this.services.db, hashes, now));
    this.storing = stored.catch(() => undefined);
    const known = new Map((await stored).map((row) => [row.sessionTokenHash, row.id]));
    return hashes.map((hash) => known.get(hash) ?? null);
  }
}
