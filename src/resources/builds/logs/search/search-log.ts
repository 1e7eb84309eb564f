import { callerOf } from '../../../../auth/caller.js';
import type { LogPattern } from '../../../../domain/builds/logs/search/log-pattern.js';
import type { FoundLine } from '../../../../domain/builds/logs/search/search-lines.js';
import { Problem } from '../../../../domain/problem.js';
import type { Context } from '../../../../request/context.js';
import { readLog } from '../../../../storage/logs/read-log.js';
import { TaskTooDear } from '../../../../workers/pool.js';
import type { ReadableLog } from '../readable-log.js';

/** Bytes of a log that are looked through at a time. */
const partBytes = 1024 * 1024;
const newline = 0x0a;

/** Where the search of a log goes on. */
export interface LogPosition {
  /** Bytes of the readable log before it; a line begins there, unless a line is longer than a mebibyte. */
  offset: number;
  /** Lines that end before it. */
  line: number;
}

export const startOfLog: LogPosition = { offset: 0, line: 0 };

/** What a search has found in a part of a log. Lines count from 0 in the log. */
export interface SearchedPart {
  matches: FoundLine[];
  /** Where the part begins, and where the next one does. */
  from: LogPosition;
  next: LogPosition;
}

/**
 * Looks through a log, a mebibyte at a time, in a thread; each part gives at most `most` lines. Throws `invalid` where
 * a regular expression takes too long; rejects with the reason of the signal once it is aborted.
 */
export async function* searchLog(
  context: Context,
  log: Pick<ReadableLog, 'store' | 'view' | 'size'>,
  { pattern, most, from }: { pattern: LogPattern; most: number; from: LogPosition },
): AsyncGenerator<SearchedPart> {
  let at = from;
  for await (const bytes of partsOf(log, from.offset, context.request.signal)) {
    const { matches, lines } = await search(context, { bytes, pattern, most });
    const next = { offset: at.offset + bytes.length, line: at.line + lines };
    const { line: before } = at;
    yield { matches: matches.map((each) => ({ ...each, line: each.line + before })), from: at, next };
    at = next;
  }
}

async function search({ services, actor }: Context, input: { bytes: Uint8Array; pattern: LogPattern; most: number }) {
  try {
    return await services.workers.run('log.search', callerOf(actor), input);
  } catch (error) {
    if (!(error instanceof TaskTooDear)) throw error;
    throw new Problem('invalid', 'The expression takes too long; look for a simpler one');
  }
}

/** The bytes of a log from a position on, in parts that end with a line where they can. */
async function* partsOf(
  { store, view, size }: Pick<ReadableLog, 'store' | 'view' | 'size'>,
  start: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of readLog(store, view, { start, end: size })) {
    signal?.throwIfAborted();
    // Copied: the reader may use its buffer again.
    pieces.push(Buffer.from(piece));
    bytes += piece.length;
    if (bytes < partBytes) continue;
    const whole = Buffer.concat(pieces);
    const end = whole.lastIndexOf(newline) + 1 || whole.length;
    yield whole.subarray(0, end);
    pieces = end < whole.length ? [whole.subarray(end)] : [];
    bytes = whole.length - end;
  }
  if (bytes > 0) yield Buffer.concat(pieces);
}
