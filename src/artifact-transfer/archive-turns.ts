import type { ServerResponse } from 'node:http';
import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';
import { ReplyQueue } from '../http/reply-queue.js';

/** Bytes that a client must read between two looks while other archives wait. */
const leastBytes = 1024 * 1024;

interface Turn {
  response: ServerResponse;
  organizationId: string;
  /** Bytes that its client had read at the last look. */
  bytesRead: number;
}

/**
 * Whose archives are sent now: a few at a time, and fewer of one organization, because each may take hours. Others wait
 * for a moment. While they do, those who do not read are disconnected: they would keep everybody else from archives.
 */
export class ArchiveTurns {
  private readonly turns = new Set<Turn>();
  /** Organizations whose archives wait. */
  private readonly queue: ReplyQueue<string>;

  /**
   * @param waitMs the longest that an archive waits
   * @param lookMs time between two looks at who reads
   */
  constructor(
    private readonly waitMs = 15_000,
    lookMs = 5_000,
  ) {
    this.queue = new ReplyQueue({ look: () => this.cutSlow(), everyMs: lookMs });
  }

  /** Takes a turn until the response closes; rejects with `unavailable` where there is none in time. */
  async take(response: ServerResponse, organizationId: string): Promise<void> {
    if (!this.hasTurn(organizationId)) {
      if (this.queue.size >= mostWaiting) throw busy();
      await this.queue.wait(response, organizationId, this.waitMs, busy);
    }
    if (response.destroyed) throw new Problem('timed_out', 'The client has left');
    const turn: Turn = { response, organizationId, bytesRead: -leastBytes };
    this.turns.add(turn);
    response.once('close', () => {
      this.turns.delete(turn);
      this.admitNext();
    });
  }

  private hasTurn(organizationId: string): boolean {
    if (this.turns.size >= limits.artifactArchivesAtOnce) return false;
    let own = 0;
    for (const turn of this.turns) if (turn.organizationId === organizationId) own += 1;
    return own < limits.artifactArchivesOfOrganization;
  }

  private admitNext(): void {
    for (const { wish: organizationId, admit } of this.queue) {
      if (!this.hasTurn(organizationId)) continue;
      admit();
      // The turn is taken in a moment, and is not there for a second one until then.
      return;
    }
  }

  private cutSlow(): void {
    for (const turn of this.turns) {
      const { response, bytesRead } = turn;
      turn.bytesRead = (response.socket?.bytesWritten ?? 0) - response.writableLength;
      // One that has read all there is waits for the storage.
      if (response.writableNeedDrain && turn.bytesRead - bytesRead < leastBytes) response.destroy();
    }
  }
}

/** Archives that wait at a time; any more are refused at once. */
const mostWaiting = 100;

const busy = () =>
  new Problem('unavailable', 'Too many archives are being downloaded. Please try again.', { retryAfter: 30 });

/** The turns of this process. */
export const archiveTurns = new ArchiveTurns();
