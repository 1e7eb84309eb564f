import type { ServerResponse } from 'node:http';
import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';

/** Bytes that a client must read between two looks while other archives wait. */
const leastBytes = 1024 * 1024;

interface Turn {
  response: ServerResponse;
  organizationId: string;
  /** Bytes that its client had read at the last look. */
  bytesRead: number;
}

interface Waiter {
  organizationId: string;
  admit(): void;
}

/**
 * Whose archives are sent now: a few at a time, and fewer of one organization, because each may take hours. Others wait
 * for a moment. While they do, those who do not read are disconnected: they would keep everybody else from archives.
 */
export class ArchiveTurns {
  private readonly turns = new Set<Turn>();
  private readonly queue = new Set<Waiter>();
  private looks: NodeJS.Timeout | null = null;

  /**
   * @param waitMs the longest that an archive waits
   * @param lookMs time between two looks at who reads
   */
  constructor(
    private readonly waitMs = 15_000,
    private readonly lookMs = 5_000,
  ) {}

  /** Takes a turn until the response closes; rejects with `unavailable` where there is none in time. */
  async take(response: ServerResponse, organizationId: string): Promise<void> {
    if (!this.hasTurn(organizationId)) await this.wait(response, organizationId);
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

  private async wait(response: ServerResponse, organizationId: string): Promise<void> {
    if (this.queue.size >= mostWaiting) throw busy();
    this.looks ??= setInterval(() => this.cutSlow(), this.lookMs).unref();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        response.off('close', close);
        this.queue.delete(waiter);
        if (this.queue.size > 0 || !this.looks) return;
        clearInterval(this.looks);
        this.looks = null;
      };
      const close = () => {
        leave();
        reject(new Problem('timed_out', 'The client has left'));
      };
      const timer = setTimeout(() => {
        leave();
        reject(busy());
      }, this.waitMs);
      const waiter: Waiter = {
        organizationId,
        admit: () => {
          leave();
          resolve();
        },
      };
      this.queue.add(waiter);
      response.once('close', close);
    });
  }

  private admitNext(): void {
    for (const waiter of this.queue) {
      if (!this.hasTurn(waiter.organizationId)) continue;
      waiter.admit();
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
