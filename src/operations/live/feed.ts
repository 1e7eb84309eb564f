import type { Services } from '../../context.js';
import type { EventQueue } from './event-queue.js';
import { placeEvents, readStreamState } from './place-events.js';
import { readNextEvents, type Topic } from './read-events.js';

/** Events of one round: many rounds follow each other while there is more. */
const roundSize = 1000;

/**
 * Reads the order of events once a process, whatever the number of followers, and hands each event to those it
 * concerns. Looks every `everyMs`, or at once when woken, and only while somebody follows. Any number of replicas do
 * so beside each other: the order is in the database.
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

  /** The position up to which everything has been handed out. */
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

  /** From now on the topic's events after {@link position} go into the queue. Nothing can come in between: no waiting here. */
  attach(topic: Topic, queue: EventQueue): () => void {
    const name = `${topic.key} ${topic.id}`;
    const of = this.queues.get(name) ?? new Map<EventQueue, Topic>();
    this.queues.set(name, of.set(queue, topic));
    return () => {
      of.delete(queue);
      if (of.size === 0 && this.queues.get(name) === of) this.queues.delete(name);
    };
  }

  /** There may be something new. */
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
    this.rounds = this.rounds.then(() => this.round()).finally(() => this.rest());
  }

  private rest(): void {
    if (this.users === 0 || this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), this.everyMs).unref();
  }

  /** Places and hands out all there is. A round that fails is told and tried again later: followers just wait. */
  private async round(): Promise<void> {
    try {
      for (let more = true; more && this.users > 0 && !this.stopped; ) {
        const state = await readStreamState(this.services);
        more = state.waiting && (await placeEvents(this.services));
        if (state.waiting || state.last > this.at) more = (await this.handOut()) || more;
      }
    } catch (error) {
      this.services.log.error({ err: error }, 'events could not be read for those who follow them');
    }
  }

  /** Hands out one bounded stretch; true where there is more. */
  private async handOut(): Promise<boolean> {
    const events = await readNextEvents(this.services.db, this.at, roundSize);
    for (const event of events) {
      for (const key of ['buildId', 'jobId', 'organizationId'] as const) {
        for (const [queue, topic] of this.queues.get(`${key} ${event[key]}`) ?? []) if (topic.wants(event)) queue.push(event);
      }
      this.at = event.position;
    }
    return events.length === roundSize;
  }
}
