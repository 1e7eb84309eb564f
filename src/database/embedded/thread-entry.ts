import { parentPort, workerData } from 'node:worker_threads';
import { exchange } from './local-database.js';
import { openPglite, sessionSettings } from './open-pglite.js';

/** Data of the thread of an embedded database. */
export interface ThreadData {
  /** Null for a database in memory. */
  directory: string | null;
}

/** Message to the thread: what the database is to be given, or null for its end. */
export type ToThread = Uint8Array | null;
/** Message of the thread: the reply to each message in turn; null once the database is open, and once it is closed. */
export type FromThread = Uint8Array | null;

/** Opens the database and serves it; what goes wrong beyond a statement ends the thread with that error. */
async function serve(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('to be started as a thread');
  const pglite = await openPglite((workerData as ThreadData).directory);
  await pglite.exec(sessionSettings);
  const answer = async (message: ToThread) => {
    if (message === null) {
      await pglite.close();
      port.postMessage(null satisfies FromThread);
      port.close();
      return;
    }
    const reply = await exchange(pglite, message);
    port.postMessage(reply satisfies FromThread, [reply.buffer]);
  };
  port.on('message', (message: ToThread) => void answer(message));
  port.postMessage(null satisfies FromThread);
}

await serve();
