import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { endsIdle, joined } from './embedded-database.js';
import { ThreadMailbox } from './mailbox.js';
import { openPglite, sessionSettings } from './open-pglite.js';

/** Data of the thread of an embedded database. */
export interface ThreadData {
  /** Null for a database in memory. */
  directory: string | null;
  mailbox: SharedArrayBuffer;
}

/**
 * Message of the thread: that the database is open; then for each call the number of bytes of the reply in the mailbox, or the reply
 * where it has no room there.
 */
export type FromThread = 'open' | number | Uint8Array<ArrayBuffer>;

/** Opens the database and serves it; what goes wrong beyond a statement ends the thread with that error. */
async function serve(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('to be started as a thread');
  const { directory, mailbox: memory } = workerData as ThreadData;
  const mailbox = new ThreadMailbox(memory);
  const pglite = await openPglite(directory);
  await pglite.exec(sessionSettings);
  port.postMessage('open' satisfies FromThread);
  for (let call = mailbox.next(); call !== null; call = mailbox.next()) {
    if (call === 'nothing') {
      // The engine collects garbage of idle threads in their event loop.
      await nextTurn();
      continue;
    }
    const messages = call === 'message' ? (receiveMessageOnPort(port)?.message as Uint8Array) : call;
    let length = 0;
    const overflow: Uint8Array[] = [];
    const onRawData = (piece: Uint8Array) => {
      if (overflow.length > 0 || length + piece.length > mailbox.reply.length) overflow.push(piece.slice());
      else mailbox.reply.set(piece, length);
      length += piece.length;
    };
    await pglite.execProtocolRawStream(messages, { syncToFs: false, onRawData });
    const begun = overflow.reduce((rest, piece) => rest - piece.length, length);
    const reply = overflow.length > 0 ? joined([mailbox.reply.subarray(0, begun), ...overflow]) : null;
    if (endsIdle(reply ?? mailbox.reply.subarray(0, length))) await pglite.syncToFs();
    if (reply) port.postMessage(reply satisfies FromThread, [reply.buffer]);
    else port.postMessage(length satisfies FromThread);
  }
  await pglite.close();
  port.close();
}

await serve();
