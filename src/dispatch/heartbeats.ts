import { BatchQueue } from '../database/batch-queue.js';
import { inLane } from '../database/lanes.js';
import { storeHeartbeats } from '../engine/state/agents.js';
import type { Services } from '../services/services.js';

/** Heartbeats that one statement stores. */
const size = 500;
/** Least time between two statements: an agent does not wait for its answer, and beats again in 30 s. */
const intervalMs = 100;

/**
 * Stores heartbeats of live agents by the hashes of their session tokens: one statement authenticates and stores a
 * batch. A heartbeat is answered once it is stored.
 */
export class Heartbeats {
  private readonly batches = new BatchQueue((hashes: readonly string[]) => this.store(hashes), {
    size,
    intervalMs: () => intervalMs,
  });

  constructor(private readonly services: Pick<Services, 'db' | 'clock'>) {}

  /**
   * Resolves to the agent's id; to null if nothing was stored, because the session is unknown, the agent was lost and
   * comes back, or another transaction holds its row.
   */
  beat(sessionTokenHash: string): Promise<string | null> {
    return this.batches.add(sessionTokenHash);
  }

  private async store(hashes: readonly string[]): Promise<(string | null)[]> {
    const now = this.services.clock.now();
    const stored = await inLane('agents', () => storeHeartbeats(this.services.db, hashes, now));
    const known = new Map(stored.map((row) => [row.sessionTokenHash, row.id]));
    return hashes.map((hash) => known.get(hash) ?? null);
  }
}
