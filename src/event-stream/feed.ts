import type { Services } from '../services/services.js';
import { inLane } from '../database/lanes.js';
import type { EventQueue } from './event-queue.js';
import { assignPositions, readStreamState } from './assign-positions.js';
import { readNextEvents, type Topic } from './read-events.js';

/** Events of one round: many rounds follow each other while there is more. */
const roundSize = 1000;

/**
 * Reads the event stream once per process for any number of subscriptions, and passes each event to the subscriptions
 * it concerns. Reads every `everyMs`, or at once when woken by its own process, and only while there are subscriptions.
 * Replicas need no coordination: the order is in the database.
 */
export class EventFeed {
  private readonly queues = new Map<string, Map<EventQueue, Topic>>();
  private users = 0;
  private at = 0;
  private rounds: Promise<void> = Promise.resolve();
  private starting: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly services: Services,
    private readonly everyMs = 250,
  ) {}

  /** Position up to which all events have been handed out. */
  get position(): number {
    return this.at;
  }

  /** Keeps the feed running until the returned function is called; resolves once {@link position} is true. */
  async join(): Promise<() => void> {
    this.users += 1;
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      this.users -= 1;
      if (this.users > 0) return;
      clearTimeout(this.timer);
      this.starting = null;
    };
    try {
      await (this.starting ??= this.begin());
    } catch (error) {
      this.starting = null;
      leave();
      throw error;
    }
    return leave;
  }

  /**
   * Adds the topic's events after {@link position} to the queue from now on. Synchronous, so that no event can come in
   * between.
   */
  attach(topic: Topic, queue: EventQueue): () => void {
    const name = `${topic.key} ${topic.id}`;
    const of = this.queues.get(name) ?? new Map<EventQueue, Topic>();
    this.queues.set(name, of.set(queue, topic));
    return () => {
      of.delete(queue);
      if (of.size === 0 && this.queues.get(name) === of) this.queues.delete(name);
    };
  }

  /** Wakes the feed: there may be new events. */
  wake(): void {
    if (this.users === 0 || this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), 0);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.rounds;
  }

  private async begin(): Promise<void> {
    await this.rounds;
    this.at = (await readStreamState(this.services)).last;
    this.look();
  }

  private look(): void {
    // One request starts the feed, but all subscribers share its work.
    this.rounds = this.rounds.then(() => inLane('background', () => this.round())).finally(() => this.rest());
  }

  private rest(): void {
    if (this.users === 0 || this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), this.everyMs).unref();
  }

  /** Assigns positions and hands out all events. A failed round is logged and retried later; subscribers just wait. */
  private async round(): Promise<void> {
    try {
      for (let more = true; more && this.users > 0 && !this.stopped;) {
        const state = await readStreamState(this.services);
        more = state.waiting && (await assignPositions(this.services));
        if (state.waiting || state.last > this.at) more = (await this.handOut()) || more;
      }
    } catch (error) {
      this.services.log.error({ err: error }, 'events could not be read for subscriptions');
    }
  }

  /** Hands out one bounded page of events; true if there are more. */
  private async handOut(): Promise<boolean> {
    const events = await readNextEvents(this.services.db, this.at, roundSize);
    for (const event of events) {
      for (const key of ['buildId', 'jobId', 'organizationId'] as const) {
        for (const [queue, topic] of this.queues.get(`${key} ${event[key]}`) ?? [])
          if (topic.wants(event)) queue.push(event);
      }
      this.at = event.position;
    }
    return events.length === roundSize;
  }
}
