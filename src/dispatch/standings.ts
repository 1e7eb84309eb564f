import DataLoader from 'dataloader';
import { inLane } from '../database/lanes.js';
import { type AgentStanding, readStandings, type StandingQuestion } from '../engine/agents/agent-standing.js';
import type { Services } from '../services/services.js';
import { gathered } from './gathered.js';

/** Agents that one statement reads. */
const atOnce = 500;

/**
 * Reads the states of agents by the hashes of their session tokens. Questions that come while a statement is under way
 * share the next one, so that however many agents ask, the database is asked by one at a time.
 */
export class Standings {
  private readonly loader: DataLoader<StandingQuestion, AgentStanding | null>;
  private reading: Promise<unknown> = Promise.resolve();
  private asked = 0;
  private askedAt = Number.NEGATIVE_INFINITY;

  /** `gatherMs`: least time between two statements just now, so that each has many questions to answer. */
  constructor(
    private readonly services: Pick<Services, 'db'>,
    gatherMs: () => number,
  ) {
    this.loader = new DataLoader((questions) => this.ask(questions), {
      cache: false,
      maxBatchSize: atOnce,
      batchScheduleFn: gathered(
        () => this.reading,
        () => this.askedAt + gatherMs(),
      ),
    });
  }

  /** Null once the session has ended. Rejects if the database does not answer. */
  read(sessionTokenHash: string, offeredJobId: string | null = null): Promise<AgentStanding | null> {
    this.asked += 1;
    return this.loader.load({ sessionTokenHash, offeredJobId });
  }

  /** Questions that wait for the next statement. */
  get waiting(): number {
    return this.asked;
  }

  private async ask(questions: readonly StandingQuestion[]): Promise<(AgentStanding | null)[]> {
    this.asked -= questions.length;
    this.askedAt = performance.now();
    const answered = inLane('agents', () => readStandings(this.services.db, questions));
    this.reading = answered.catch(() => undefined);
    return answered;
  }
}
