import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Milliseconds until a connection must be open, between two signs of life, and for one to be answered. */
const connectWithin = 5_000;
const checkEveryMs = 20_000;
const checkWithinMs = 5_000;
const firstBackOffMs = 250;
const longestBackOffMs = 15_000;

export interface ListenHandlers {
  /** A notification came. */
  heard: (payload: string) => void;
  /** The connection listens, for the first time or again: what was sent meanwhile was not heard. */
  listening: () => void;
  /** The connection was lost or could not be opened; it is tried again until {@link Listener.close}. */
  lost: (error: unknown) => void;
}

export interface Listener {
  close(): Promise<void>;
}

/** Listens for notifications of a channel, over a connection of its own that is opened again whenever it is lost. */
export function listenTo(url: string, channel: string, handlers: ListenHandlers): Listener {
  const closing = new AbortController();
  const ended = run(url, channel, handlers, closing.signal);
  return {
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}

async function run(url: string, channel: string, handlers: ListenHandlers, closing: AbortSignal): Promise<void> {
  let failures = 0;
  while (!closing.aborted) {
    try {
      await listenOnce(url, channel, closing, {
        ...handlers,
        listening: () => {
          failures = 0;
          handlers.listening();
        },
      });
    } catch (error) {
      if (closing.aborted) return;
      handlers.lost(error);
    }
    const pause = Math.min(firstBackOffMs * 2 ** Math.min(failures, 10), longestBackOffMs) * (0.5 + Math.random());
    failures += 1;
    await sleep(pause, undefined, { signal: closing, ref: false }).catch(() => undefined);
  }
}

/** Listens until the connection is lost, which rejects, or `closing` is aborted. */
async function listenOnce(url: string, channel: string, closing: AbortSignal, handlers: ListenHandlers): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectWithin,
    query_timeout: checkWithinMs,
    keepAlive: true,
    application_name: 'slipway-listener',
  });
  const lost = new Promise<never>((_resolve, reject) => {
    client.on('error', reject);
    client.on('end', () => reject(new Error('the connection was closed')));
  });
  lost.catch(() => undefined);
  client.on('notification', ({ payload }) => handlers.heard(payload ?? ''));
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    handlers.listening();
    while (!closing.aborted) {
      await Promise.race([
        sleep(checkEveryMs, undefined, { signal: closing, ref: false }).catch(() => undefined),
        lost,
      ]);
      // A connection that something in between forgot is silent for ever.
      if (!closing.aborted) await client.query('select 1');
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}
