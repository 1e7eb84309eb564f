import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';
import { eventCursor, eventPosition } from './cursor.js';
import { EventQueue } from './event-queue.js';
import type { EventFeed } from './feed.js';
import { type Follower, Freshness } from './subscription.js';
import { readStreamState } from './assign-positions.js';
import { type LiveEvent, readEvents, type Topic } from './read-events.js';
import type { Services } from '../services/services.js';

/** Interval at which the rights of a subscriber to a silent stream are checked again. */
const idleCheckMs = 10_000;

/**
 * A message of a stream; `event` is null in the first message of a stream that starts now, which only carries the
 * cursor.
 */
export interface EventMessage {
  cursor: string;
  event: LiveEvent | null;
}

export interface EventsAsked {
  services: Services;
  feed: EventFeed;
  topic: Topic;
  /** Cursor of the last message received; null to start now. */
  after: string | null;
  follower: Follower;
  /** Filters events by access; not needed for a topic of one resource, whose access is checked as a whole. */
  visible?: (events: LiveEvent[]) => Promise<LiveEvent[]>;
}

/**
 * Subscribes to the events of a topic without gap or repetition: first those between the cursor and the process's feed,
 * read from the database as fast as the caller takes them, then those of the feed. Ends a caller that does not keep up
 * with `slow_consumer`; it resumes after its last cursor. Throws errors of `check`, and `cursor_expired` for a cursor
 * older than the stored events.
 */
export async function* subscribeToEvents(
  { services, feed, topic, after, follower, visible = async (events) => events }: EventsAsked,
  signal: AbortSignal,
): AsyncGenerator<EventMessage> {
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
      if (queue.overflowed)
        throw new Problem('slow_consumer', 'The stream was read too slowly: resume from the last cursor', {
          public: { cursor: eventCursor(at) },
        });
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
  if (position > last) throw new Problem('malformed', 'The cursor is not a cursor of an event stream');
  if (position < forgotten)
    throw new Problem(
      'cursor_expired',
      `The cursor is older than the stored events (${limits.eventRetentionDays} days): read the current state ` +
        `and subscribe without a cursor`,
    );
  return position;
}
