import type { Context } from '../../../context.js';
import { renderLog } from '../../../storage/logs/forms.js';
import { readLog } from '../../../storage/logs/read-log.js';
import { TaskTooDear } from '../../../workers/pool.js';
import { callerOf } from '../../../auth/caller.js';
import type { ReadableLog } from './readable-log.js';

const tooDear = '\nThe rest of this log is not shown: it takes too long to become HTML. Read it as plain text.';

/**
 * Yields a job's log as HTML, in pieces, up to the measured size; each piece is rendered in a thread when the previous
 * one was consumed. Throws `unavailable` before the first piece, while a status can still be sent.
 */
export async function logHtml(
  context: Context,
  { store, view, size }: Pick<ReadableLog, 'store' | 'view' | 'size'>,
): Promise<AsyncIterable<string>> {
  const { services, actor } = context;
  const pieces = renderLog<Uint8Array>(readLog(store, view, { end: size }), (state, bytes) =>
    services.workers.run('log.render', callerOf(actor), { state, bytes }),
  );
  const first = await nextPiece(pieces);
  return (async function* () {
    for (let piece = first; !piece.done; piece = await nextPiece(pieces)) yield piece.value;
  })();
}

/** A piece that was stopped at its limit ends the log with a sentence. */
async function nextPiece(pieces: AsyncGenerator<string>): Promise<IteratorResult<string>> {
  try {
    return await pieces.next();
  } catch (error) {
    if (error instanceof TaskTooDear) return { value: tooDear, done: false };
    throw error;
  }
}
