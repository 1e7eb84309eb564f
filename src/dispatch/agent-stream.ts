import type { StreamMessage } from '../domain/agents/stream-messages.js';
import { isPaused } from '../engine/agents/pause-state.js';
import { type AgentStanding, isIdle } from '../engine/agents/agent-standing.js';
import type { Services } from '../services/services.js';
import type { QueuePasses, Waiter } from './queue-passes.js';

/**
 * Why a stream ended: its time was up; its agent opened another, or left an offer without an answer; its session ended;
 * the client left, or did not read; the process stops; the database did not answer.
 */
export const streamEnds = [
  'expired',
  'replaced',
  'unanswered',
  'session_ended',
  'left',
  'slow',
  'draining',
  'unavailable',
] as const;
export type StreamEnd = (typeof streamEnds)[number];

/** The connection of a stream, as the surface has it. Neither call throws. */
export interface StreamSink {
  send(message: StreamMessage): void;
  end(reason: StreamEnd): void;
}

/** What a stream needs of those that hold it. */
export interface StreamSurroundings {
  services: Services;
  queue: QueuePasses;
  /** Reads the agent's present state from the database. */
  read: (offeredJobId: string | null) => Promise<AgentStanding | null>;
  /** Changes whenever something changed that agents may wait for. */
  version: () => number;
  ended: (stream: AgentStream, reason: StreamEnd) => void;
}

/**
 * One agent that waits on its open stream. It gets its state at once and each change of it: what it may do, and the
 * job it is offered. All is read from the database when something has changed, so that nothing depends on the order in
 * which changes are heard of.
 */
export class AgentStream implements Waiter {
  /** What was said last about its state; null before the first. */
  private told: StreamMessage | null = null;
  /** The job that it was offered last, until it is known what became of it. */
  private offered: string | null = null;
  /** Raised by an offer: what was read before it is outdated. */
  private offers = 0;
  private looking = false;
  private lookAgain = false;
  private over = false;

  constructor(
    private standing: AgentStanding,
    private readonly sink: StreamSink,
    private readonly around: StreamSurroundings,
  ) {}

  get id(): string {
    return this.standing.id;
  }

  get priority(): number | null {
    return this.standing.priority;
  }

  get metaData(): readonly string[] {
    return this.standing.metaData;
  }

  /** Says what was read before the stream was opened; `version` is that of before the reading. */
  begin(version: number): void {
    this.apply(this.standing, version);
    if (version !== this.around.version()) this.look();
  }

  /** Reads the agent's state and says what is new. Calls during a reading make one more. */
  look(): void {
    this.lookAgain = true;
    if (!this.looking && !this.over) void this.lookUntilCalm();
  }

  offer(jobId: string): void {
    this.offers += 1;
    this.offered = jobId;
    this.say({ kind: 'job', jobId });
  }

  /** Ends the stream, once. */
  end(reason: StreamEnd): void {
    if (this.over) return;
    this.over = true;
    this.around.queue.remove(this);
    this.around.ended(this, reason);
    this.sink.end(reason);
  }

  private async lookUntilCalm(): Promise<void> {
    this.looking = true;
    try {
      while (this.lookAgain && !this.over) {
        this.lookAgain = false;
        const version = this.around.version();
        const { offers } = this;
        const standing = await this.around.read(this.offered);
        if (offers !== this.offers) this.lookAgain = true;
        else if (!this.over) this.apply(standing, version);
      }
    } catch (error) {
      // Its agent asks again, by itself and not at the same time as the others.
      this.around.services.log.warn(
        { err: error, agent: this.id },
        'a stream of pings ends: its agent could not be read',
      );
      this.end('unavailable');
    } finally {
      this.looking = false;
    }
  }

  private apply(standing: AgentStanding | null, version: number): void {
    if (!standing) return this.end('session_ended');
    this.standing = standing;
    const now = this.around.services.clock.now();
    const idle = isIdle(standing, now);
    if (!idle) this.around.queue.remove(this);
    if (standing.connectionState === 'stopping') return this.tell('disconnect', 'This agent was asked to stop');
    if (isPaused(standing, now)) {
      this.offered = null;
      return this.tell('pause', standing.pausedNote || 'This agent is paused');
    }
    if (standing.heldJobState === 'assigned' && standing.heldJobId !== null) {
      if (standing.heldJobId !== this.offered) this.offer(standing.heldJobId);
      return;
    }
    // It let an offer pass. An agent that is still there opens another stream, and is offered jobs on that.
    if (this.offered !== null && !standing.tookOffer && standing.heldJobId === null) return this.end('unanswered');
    if (standing.heldJobId === null) this.offered = null;
    if (this.told?.kind !== 'resume' && this.told?.kind !== 'job') this.say({ kind: 'resume' });
    if (!idle) return;
    this.around.queue.add(this);
    if (standing.jobsWait || version !== this.around.version()) this.around.queue.wake();
  }

  private tell(kind: 'pause' | 'disconnect', reason: string): void {
    if (this.told?.kind === kind && this.told.reason === reason) return;
    this.say({ kind, reason });
  }

  private say(message: StreamMessage): void {
    this.told = message;
    this.sink.send(message);
  }
}
