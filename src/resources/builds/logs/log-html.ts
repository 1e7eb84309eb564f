import { callerOf } from '../../../auth/caller.js';
import type { Context } from '../../../request/context.js';
import { renderLog } from '../../../storage/logs/forms.js';
import { readLog } from '../../../storage/logs/read-log.js';
import { TaskTooDear } from '../../../workers/pool.js';
import { LogCache } from './log-cache.js';
import type { ReadableLog } from './readable-log.js';

const tooDear = '\nThe rest of this log is not shown: it takes too long to become HTML. Read it as plain text.';

/** Most characters of HTML that a process keeps, and of one log. */
const keptCharacters = 16 * 1024 * 1024;
const keptOfLog = 2 * 1024 * 1024;

/** In pieces. */
const cache = new LogCache<readonly string[]>(keptCharacters, (pieces) =>
  pieces.reduce((sum, { length }) => sum + length, 0),
);

type RenderedLog = Pick<ReadableLog, 'store' | 'view' | 'size' | 'job'>;

/**
 * Yields a job's log as HTML, in pieces, up to the measured size; each piece is rendered in a thread when the previous
 * one was consumed. That of a finished log is kept, if it is not long. Throws `unavailable` before the first piece,
 * while a status can still be sent.
 */
export async function logHtml(context: Context, log: RenderedLog): Promise<AsyncIterable<string> | Iterable<string>> {
  const { services, actor } = context;
  const entry = cache.entry(log);
  if (entry.value) return entry.value;
  const { view, size } = log;
  const pieces = renderLog<Uint8Array>(readLog(entry.store, view, { end: size }), (state, bytes) =>
    services.workers.run('log.render', callerOf(actor), { state, bytes }),
  );
  const first = await nextPiece(pieces);
  return (async function* () {
    let whole: string[] | null = entry.isFinal ? [] : null;
    let length = 0;
    for (let piece = first; !piece.done; piece = await nextPiece(pieces)) {
      length += piece.value.length;
      if (piece.value === tooDear || length > keptOfLog) whole = null;
      whole?.push(piece.value);
      yield piece.value;
    }
    if (whole !== null) entry.save(whole);
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
