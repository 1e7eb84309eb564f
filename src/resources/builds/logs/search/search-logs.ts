import type { LogPattern } from '../../../../domain/builds/logs/search/log-pattern.js';
import type { SearchCursor } from '../../../../domain/builds/logs/search/search-cursor.js';
import type { FoundLine } from '../../../../domain/builds/logs/search/search-lines.js';
import { limits } from '../../../../domain/limits/limits.js';
import type { JobRow } from '../../../../entities/database.js';
import type { Context } from '../../../../request/context.js';
import { openLogs } from '../open-logs.js';
import type { LogOwner, ReadableLog } from '../readable-log.js';
import { type LogPosition, searchLog, startOfLog } from './search-log.js';

/** Logs that are looked through at a time, for one search. */
const logsAtATime = 4;
/** A search stops after this time, with a cursor that goes on: callers wait no longer. */
const mostMilliseconds = 6_000;
const mebibyte = 1024 * 1024;

/** A matching line with its job. */
export type FoundInLogs = FoundLine & LogOwner;

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
  /** The next jobs in order, from one that is named on, at most as many as the number says. */
  nextJobs: (from: SearchCursor | null, most: number) => Promise<JobRow[]>;
}

/**
 * Looks through the logs of jobs in their order until it has found enough, has read 64 MiB or 500 logs, or has taken
 * six seconds: the cursor then goes on where it stopped.
 */
export async function searchLogs(context: Context, search: LogsSearch): Promise<SearchedLogs> {
  const until = performance.now() + mostMilliseconds;
  const done: SearchedLogs = { matches: [], cursor: search.cursor, scannedBytes: 0 };
  let logsLeft: number = limits.searchedLogs;
  for (;;) {
    const jobs = await search.nextJobs(done.cursor, Math.min(limits.searchedLogsTogether, logsLeft));
    if (jobs.length === 0) return { ...done, cursor: null };
    const opened = await openLogs(context, jobs);
    for (let first = 0; first < jobs.length; first += logsAtATime) {
      const together = jobs.slice(first, first + logsAtATime);
      const bytes = Math.max(mebibyte, Math.floor((limits.searchedBytes - done.scannedBytes) / together.length));
      const scans = await Promise.all(
        together.map((job) => scan(context, opened.get(job.id), search, { bytes, from: placeIn(done.cursor, job) })),
      );
      for (const [index, job] of together.entries()) {
        if (!take(done, job, scans[index] ?? nothing, search.most)) return done;
      }
      if (done.scannedBytes >= limits.searchedBytes || performance.now() > until) return done;
    }
    logsLeft -= jobs.length;
    if (logsLeft <= 0) return done;
  }
}

interface Place {
  position: LogPosition;
  lastGiven: number;
}

const placeIn = (cursor: SearchCursor | null, job: JobRow): Place =>
  cursor?.isWithin && cursor.jobId === job.id
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
  { bytes: mostBytes, from: { position, lastGiven } }: { bytes: number; from: Place },
): Promise<Scan> {
  if (!log || log.size === 0) return nothing;
  const { organization, pipeline, build, job } = log;
  const owner = { organization, pipeline, build, job };
  const matches: Scan['matches'] = [];
  let bytes = 0;
  // Lines of the replies before match again, and are left out.
  const mostOfPart = most + lastGiven - position.line + 1;
  for await (const part of searchLog(context, log, { pattern, most: mostOfPart, from: position })) {
    bytes += part.next.offset - part.from.offset;
    for (const each of part.matches) if (each.line > lastGiven) matches.push({ ...each, part: part.from, owner });
    if (matches.length >= most || bytes >= mostBytes)
      return { matches, bytes, next: part.next.offset < log.size ? part.next : null };
  }
  return { matches, bytes, next: null };
}

/** Adds what was found in a log; false where the search ends within it, or has enough. */
function take(done: SearchedLogs, job: JobRow, { matches, bytes, next }: Scan, most: number): boolean {
  done.scannedBytes += bytes;
  for (const { part, owner, ...line } of matches) {
    done.matches.push({ ...line, ...owner });
    done.cursor = { jobId: job.id, isWithin: true, ...part, lastGiven: line.line };
    if (done.matches.length >= most) return false;
  }
  if (next) {
    // Fewer match than are wanted: all of them are in the reply.
    done.cursor = { jobId: job.id, isWithin: true, ...next, lastGiven: next.line - 1 };
    return false;
  }
  done.cursor = { jobId: job.id, isWithin: false, offset: 0, line: 0, lastGiven: -1 };
  return true;
}
