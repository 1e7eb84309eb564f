import type { LogPattern } from '../../../../domain/builds/logs/search/log-pattern.js';
import type { SearchCursor } from '../../../../domain/builds/logs/search/search-cursor.js';
import type { FoundLine } from '../../../../domain/builds/logs/search/search-lines.js';
import { limits } from '../../../../domain/limits/limits.js';
import type { JobRow } from '../../../../entities/database.js';
import type { Context } from '../../../../request/context.js';
import { openLogs } from '../open-logs.js';
import type { LogOwner, ReadableLog } from '../readable-log.js';
import type { NextLog } from './filtered-logs.js';
import { type LogPosition, startOfLog } from './log-parts.js';
import { searchLog } from './search-log.js';

/** Logs that are looked through at a time, for one search. */
const logsAtATime = 4;
/** A search stops after this time, with a cursor that goes on: callers wait no longer. */
export const mostMilliseconds = 6_000;
const mebibyte = 1024 * 1024;

/** A matching line with its job; `cluster` is the hash of its failure, which whole logs are not asked for. */
export type FoundInLogs = FoundLine & LogOwner & { cluster: string | null };

export interface SearchedLogs {
  matches: FoundInLogs[];
  /** Where the search goes on; null if all logs were looked through. */
  cursor: SearchCursor | null;
  /** Bytes of logs that were looked through. */
  scannedBytes: number;
}

export interface LogsSearch {
  pattern: LogPattern;
  /** Most lines. */
  most: number;
  cursor: SearchCursor | null;
  /** The next logs in order, from one that is named on, at most as many as the number says. */
  nextLogs: (from: SearchCursor | null, most: number) => Promise<NextLog[]>;
  /** Those of the jobs whose logs may be read. */
  loadJobs: (ids: readonly string[]) => Promise<JobRow[]>;
}

/** Logs that are looked at first: a text that many logs have is found in few. */
const logsAtFirst = 25;

/**
 * Looks through the logs of jobs in their order until it has found enough, has read 64 MiB or 500 logs, has looked at
 * 20,000, or has taken six seconds: the cursor then goes on where it stopped.
 */
export async function searchLogs(context: Context, search: LogsSearch): Promise<SearchedLogs> {
  const running: Running = {
    done: { matches: [], cursor: search.cursor, scannedBytes: 0 },
    until: performance.now() + mostMilliseconds,
    logsLeft: limits.searchedLogs,
  };
  const { done } = running;
  let looksLeft: number = limits.filteredLogs;
  for (let together = logsAtFirst; looksLeft > 0; together = Math.min(2 * together, limits.filteredLogsTogether)) {
    context.request.signal?.throwIfAborted();
    const logs = await search.nextLogs(done.cursor, Math.min(together, looksLeft));
    const last = logs.at(-1);
    if (!last) return { ...done, cursor: null };
    if (!(await searchNext(context, search, logs, running))) return done;
    done.cursor = endOf(last.jobId);
    looksLeft -= logs.length;
    if (performance.now() > running.until) return done;
  }
  return done;
}

interface Running {
  done: SearchedLogs;
  until: number;
  /** Logs that may still be read. */
  logsLeft: number;
}

/** Reads those of the next logs that may match; false where the search ends within them. */
async function searchNext(
  context: Context,
  search: LogsSearch,
  logs: readonly NextLog[],
  running: Running,
): Promise<boolean> {
  const mayMatch = logs.filter(({ parts }) => parts === null || parts.length > 0);
  for (let first = 0; first < mayMatch.length; first += limits.searchedLogsTogether) {
    const some = mayMatch.slice(first, first + limits.searchedLogsTogether);
    const jobs = await search.loadJobs(some.map(({ jobId }) => jobId));
    const opened = await openLogs(context, jobs);
    for (let from = 0; from < some.length; from += logsAtATime)
      if (!(await readLogs(context, search, opened, some.slice(from, from + logsAtATime), running))) return false;
  }
  return true;
}

/** Reads some logs at a time; false where the search ends with them. */
async function readLogs(
  context: Context,
  search: LogsSearch,
  opened: ReadonlyMap<string, ReadableLog>,
  logs: readonly NextLog[],
  running: Running,
): Promise<boolean> {
  const { done, until } = running;
  const bytes = Math.max(mebibyte, Math.floor((limits.searchedBytes - done.scannedBytes) / logs.length));
  const scans = await Promise.all(
    logs.map(({ jobId, parts }) =>
      scan(context, opened.get(jobId), search, { bytes, parts, from: placeIn(done.cursor, jobId) }),
    ),
  );
  for (const [index, { jobId }] of logs.entries())
    if (!take(done, jobId, scans[index] ?? nothing, search.most)) return false;
  running.logsLeft -= logs.length;
  return running.logsLeft > 0 && done.scannedBytes < limits.searchedBytes && performance.now() <= until;
}

/** Where a search goes on behind a job. */
export const endOf = (jobId: string): SearchCursor => ({ jobId, isWithin: false, offset: 0, line: 0, lastGiven: -1 });

interface Place {
  position: LogPosition;
  lastGiven: number;
}

const placeIn = (cursor: SearchCursor | null, jobId: string): Place =>
  cursor?.isWithin && cursor.jobId === jobId
    ? { position: { offset: cursor.offset, line: cursor.line }, lastGiven: cursor.lastGiven }
    : { position: startOfLog, lastGiven: -1 };

interface Scan {
  matches: (FoundLine & { part: LogPosition; owner: LogOwner })[];
  bytes: number;
  /** Where the log goes on; null at its end. */
  next: LogPosition | null;
}

const nothing: Scan = { matches: [], bytes: 0, next: null };

/** Looks through one log, up to so many bytes. */
async function scan(
  context: Context,
  log: ReadableLog | undefined,
  { pattern, most }: LogsSearch,
  { bytes: mostBytes, parts, from: { position, lastGiven } }: Pick<NextLog, 'parts'> & { bytes: number; from: Place },
): Promise<Scan> {
  if (!log || log.size === 0) return nothing;
  const { organization, pipeline, build, job } = log;
  const owner = { organization, pipeline, build, job };
  const matches: Scan['matches'] = [];
  let bytes = 0;
  // Lines of the replies before match again, and are left out.
  const mostOfPart = most + lastGiven - position.line + 1;
  for await (const part of searchLog(context, log, { pattern, most: mostOfPart, from: position, parts })) {
    bytes += part.next.offset - part.from.offset;
    for (const each of part.matches) if (each.line > lastGiven) matches.push({ ...each, part: part.from, owner });
    if (matches.length >= most || bytes >= mostBytes)
      return { matches, bytes, next: part.next.offset < log.size ? part.next : null };
  }
  return { matches, bytes, next: null };
}

/** Adds what was found in a log; false where the search ends within it, or has enough. */
function take(done: SearchedLogs, jobId: string, { matches, bytes, next }: Scan, most: number): boolean {
  done.scannedBytes += bytes;
  for (const { part, owner, ...line } of matches) {
    done.matches.push({ ...line, cluster: null, ...owner });
    done.cursor = { jobId, isWithin: true, ...part, lastGiven: line.line };
    if (done.matches.length >= most) return false;
  }
  if (next) {
    // Fewer match than are wanted: all of them are in the reply.
    done.cursor = { jobId, isWithin: true, ...next, lastGiven: next.line - 1 };
    return false;
  }
  done.cursor = endOf(jobId);
  return true;
}
