import { beginToCount, countAgentTime } from '../../engine/state/agent-time.js';
import { nextTurn } from '../../event-loop/turns.js';
import type { Services } from '../../services/services.js';

/** Agents of which one statement adds the time. */
const atOnce = 200;
/** Time that a round works. */
const roundMs = 1_000;
/** Agents whose time was counted so shortly before, as by another replica, are left for the next pass. */
const soonMs = 30_000;

/**
 * Keeps rollups of the time of agents: each pass goes through the agents that are connected, or were since the last
 * one, and adds the hours that they have been since. A process that dies loses nothing of what is counted, and the next
 * pass counts the rest.
 */
export class AgentTimeCount {
  /** The last agent of the pass that is under way. */
  private after: string | null = null;

  /** Goes on with the pass, or begins one; true if another round should follow at once. */
  async round({ db, clock }: Services, signal?: AbortSignal): Promise<boolean> {
    if (this.after === null && (await beginToCount(db, atOnce)) === atOnce) return !signal?.aborted;
    const endsAt = performance.now() + roundMs;
    do {
      const now = clock.now();
      const notSince = new Date(now.getTime() - soonMs);
      this.after = await countAgentTime(db, { after: this.after, most: atOnce, notSince, now });
      await nextTurn();
    } while (this.after !== null && performance.now() < endsAt && !signal?.aborted);
    return this.after !== null && !signal?.aborted;
  }
}
