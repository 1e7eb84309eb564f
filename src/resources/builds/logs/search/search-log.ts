import { callerOf } from '../../../../auth/caller.js';
import type { LogPattern } from '../../../../domain/builds/logs/search/log-pattern.js';
import type { FoundLine, FoundLines } from '../../../../domain/builds/logs/search/search-lines.js';
import { Problem } from '../../../../domain/problem.js';
import type { Context } from '../../../../request/context.js';
import { TaskTooDear } from '../../../../workers/pool.js';
import { type LogPart, type LogPosition, type LogSource, partsOf, readPart } from './log-parts.js';

/** What a search has found in a part of a log. Lines count from 0 in the log. */
export interface SearchedPart {
  matches: FoundLine[];
  /** Where the part begins, and where it ends. */
  from: LogPosition;
  next: LogPosition;
}

export interface SearchOfLog {
  pattern: LogPattern;
  /** Most lines that each part gives. */
  most: number;
  from: LogPosition;
  /** The parts that are looked through, in order; null for all of the log. */
  parts: readonly LogPart[] | null;
}

/**
 * Looks through a log, a mebibyte at a time, in a thread. Throws `invalid` where a regular expression takes too long;
 * rejects with the reason of the signal once it is aborted.
 */
export async function* searchLog(
  context: Context,
  log: LogSource,
  { pattern, most, from, parts }: SearchOfLog,
): AsyncGenerator<SearchedPart> {
  const { signal } = context.request;
  let at = from;
  for await (const { bytes, begin } of parts ? chosenParts(log, parts, from, signal) : allParts(log, from, signal)) {
    const start = begin ?? at;
    const { matches, lines } = await searchBytes(context, { bytes, pattern, most });
    at = { offset: start.offset + bytes.length, line: start.line + lines };
    yield { matches: matches.map((each) => ({ ...each, line: each.line + start.line })), from: start, next: at };
  }
}

interface PartToSearch {
  bytes: Buffer;
  /** Null: behind the part before it. */
  begin: LogPosition | null;
}

async function* allParts(log: LogSource, from: LogPosition, signal?: AbortSignal): AsyncGenerator<PartToSearch> {
  for await (const bytes of partsOf(log, from.offset, signal)) yield { bytes, begin: null };
}

/** The parts, and what lies behind `from` of the one that it is in. */
async function* chosenParts(
  log: LogSource,
  parts: readonly LogPart[],
  from: LogPosition,
  signal?: AbortSignal,
): AsyncGenerator<PartToSearch> {
  for (const { offset, line, size } of parts) {
    const end = offset + size;
    if (end <= from.offset) continue;
    const begin = offset < from.offset ? from : { offset, line };
    yield { bytes: await readPart(log, begin.offset, end, signal), begin };
  }
}

interface BytesToSearch {
  bytes: Uint8Array;
  pattern: LogPattern;
  most: number;
}

/** The lines of some bytes that match, found in a thread. Throws `invalid` where an expression takes too long. */
export async function searchBytes({ services, actor }: Context, input: BytesToSearch): Promise<FoundLines> {
  try {
    return await services.workers.run('log.search', callerOf(actor), input);
  } catch (error) {
    if (!(error instanceof TaskTooDear)) throw error;
    throw new Problem('invalid', 'The expression takes too long; look for a simpler one');
  }
}
