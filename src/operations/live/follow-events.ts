import { limits } from '../../domain/limits.js';
import { Problem } from '../../domain/problem.js';
import { eventCursor, eventPosition } from './cursor.js';
import { EventQueue } from './event-queue.js';
import type { EventFeed } from './feed.js';
import { type Follower, Freshness } from './follow.js';
import { readStreamState } from './place-events.js';
import { type LiveEvent, readEvents, type Topic } from './read-events.js';
import type { Services } from '../../context.js';

/** How often somebody whose stream is silent is looked at again. */
const idleCheckMs = 10_000;

/** One message of a stream: `event` is null in the first of a stream that starts now, which only says where it starts. */
export interface EventMessage {
  cursor: string;
  event: LiveEvent | null;
}

export interface EventsAsked {
  services: Services;
  feed: EventFeed;
  topic: Topic;
  /** The cursor of the last message that was seen; null to start now. */
  after: string | null;
  follower: Follower;
  /** Of these events those the caller may see; a topic about one thing, checked as a whole, needs none. */
  visible?: (events: LiveEvent[]) => Promise<LiveEvent[]>;
}

/**
 * Follows the events of a topic without gap or repetition (I13): first what lies between the cursor and the process's
 * feed, read from the database as fast as the caller takes it, then what the feed hands out. A caller that does not
 * keep up with that is ended with `slow_consumer` and resumes after its last cursor. Throws what `check` throws, and
 * `cursor_expired` for a cursor older than the events that are kept.
 */
export async function* followEvents({ services, feed, topic, after, follower, visible = async (events) => events }: EventsAsked, signal: AbortSignal): AsyncGenerator<EventMessage> {
  const fresh = new Freshness(follower);
  await fresh.ensure();
  const leave = await feed.join();
  const queue = new EventQueue(limits.subscriptionBuffer);
  let detach: () => void = () => undefined;
  const ring = () => queue.wake();
  signal.addEventListener('abort', ring);
  try {
    let at = after === null ? feed.position : await startingPoint(services, after);
    if (after === null) yield { cursor: eventCursor(at), event: null };
    while (at < feed.position) {
      const page = await readEvents(services.db, topic, at, feed.position);
      for (const event of await visible(page.events)) {
        if (signal.aborted) return;
        await fresh.ensure();
        yield message(event);
      }
      at = Math.max(at, page.upTo);
    }
    detach = feed.attach(topic, queue);
    while (!signal.aborted) {
      await queue.wait(idleCheckMs);
      if (signal.aborted) return;
      await fresh.ensure();
      if (queue.overflowed) throw new Problem('slow_consumer', 'The stream was not read fast enough: start again after the last cursor', { public: { cursor: eventCursor(at) } });
      // On another replica's cursor this process's feed may lie behind it.
      for (const event of await visible(queue.take().filter(({ position }) => position > at))) {
        if (signal.aborted) return;
        await fresh.ensure();
        at = event.position;
        yield message(event);
      }
    }
  } finally {
    signal.removeEventListener('abort', ring);
    detach();
    leave();
  }
}

const message = (event: LiveEvent): EventMessage => ({ cursor: eventCursor(event.position), event });

async function startingPoint(services: Services, cursor: string): Promise<number> {
  const position = eventPosition(cursor);
  const { last, forgotten } = await readStreamState(services);
  if (position > last) throw new Problem('malformed', 'The cursor is none that a stream of events gives out');
  if (position < forgotten) throw new Problem('cursor_expired', `The cursor is older than the events that are kept (${limits.eventRetentionDays} days): read what there is and start without one`);
  return position;
}
