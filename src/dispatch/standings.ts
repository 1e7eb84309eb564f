import { BatchQueue } from '../database/batch-queue.js';
import { inLane } from '../database/lanes.js';
import { type AgentStanding, readStandings, type StandingQuestion } from '../engine/agents/agent-standing.js';
import type { Services } from '../services/services.js';

/** Agents that one statement reads. */
const size = 500;

/**
 * Reads what is true of agents, by the hashes of their session tokens, in batches: however many agents ask, the
 * database is asked by one at a time.
 */
export class Standings {
  private readonly batches: BatchQueue<StandingQuestion, AgentStanding | null>;

  /** `intervalMs`: least time between two statements just now, so that each has many questions to answer. */
  constructor(services: Pick<Services, 'db'>, intervalMs: () => number) {
    this.batches = new BatchQueue((questions) => inLane('agents', () => readStandings(services.db, questions)), {
      size,
      intervalMs,
    });
  }

  /** Null once the session has ended. Rejects if the database does not answer. */
  read(sessionTokenHash: string, offeredJobId: string | null = null): Promise<AgentStanding | null> {
    return this.batches.add({ sessionTokenHash, offeredJobId });
  }

  /** Questions that wait for the next statement. */
  get waiting(): number {
    return this.batches.waiting;
  }
}
