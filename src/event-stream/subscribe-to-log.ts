import { limits } from '../domain/limits/limits.js';
import { isTerminal } from '../domain/builds/job-state.js';
import type { JobRow } from '../entities/database.js';
import type { LogStore } from '../storage/logs/chunk-index.js';
import { type LogView, readLog } from '../storage/logs/read-log.js';
import { logPosition } from './cursor.js';
import type { LogWatch } from './log-watch.js';

/** Interval at which the rights of a subscriber to a silent log are checked again. */
const idleCheckMs = 10_000;
/**
 * A finished job's log may still grow by chunks that were on their way: it has ended once it was silent for so long.
 */
const quietMs = 2_000;

/** An opened log, as the subscription needs it. */
export interface FollowedLog {
  job: Pick<JobRow, 'state' | 'logCompactedAt'>;
  store: LogStore;
  view: LogView;
  /** Bytes of the readable log when it was opened. */
  size: number;
}

/** A run of a log's lines. */
export interface LogMessage {
  /** Cursor after this run: the bytes sent so far. */
  cursor: string;
  /** Offset of the run in the log, in bytes. */
  offset: number;
  content: string;
  /** Bytes of the whole log by now. */
  size: number;
  /** The job has finished and this is the end; the stream ends with it. */
  finished: boolean;
}

export interface LogSubscription {
  watch: LogWatch;
  jobId: string;
  /** Bytes already received; null for none. */
  after: string | null;
  /**
   * Opens the log as the caller, checking rights each time; throws where the caller may not, or may no longer, read it.
   */
  open(): Promise<FollowedLog>;
}

/**
 * Streams a log by bytes: whole lines while the job runs, in runs of bounded size, each byte once, until the job is
 * finished. Nothing is buffered for a slow reader: the next run is read on demand.
 */
export async function* subscribeToLog(
  { watch, jobId, after, open }: LogSubscription,
  signal: AbortSignal,
): AsyncGenerator<LogMessage> {
  let at = after === null ? 0 : logPosition(after);
  const bell = new Bell();
  signal.addEventListener('abort', bell.ring);
  const unwatch = watch.watch(jobId, bell.ring);
  let quietSince = performance.now();
  try {
    while (!signal.aborted) {
      const log = await open();
      const ended = isTerminal(log.job.state);
      const over = ended && (log.job.logCompactedAt !== null || performance.now() - quietSince >= quietMs);
      const view = { ...log.view, finished: over };
      for (;;) {
        const run = await nextRun(log, view, at, over);
        if (run === null) break;
        yield {
          cursor: String(at + run.bytes),
          offset: at,
          content: run.content,
          size: Math.max(log.size, at + run.bytes),
          finished: false,
        };
        if (signal.aborted) return;
        at += run.bytes;
        quietSince = performance.now();
        if (run.bytes < limits.logRunBytes) break;
      }
      if (over) {
        const rest = await nextRun(log, view, at, true);
        if (rest !== null) continue;
        yield { cursor: String(at), offset: at, content: '', size: Math.max(log.size, at), finished: true };
        return;
      }
      await bell.wait(ended ? quietMs / 4 : idleCheckMs);
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    unwatch();
  }
}

/**
 * Reads the next whole lines from `start`, or everything once the log is complete; null if there is nothing to send
 * yet.
 */
async function nextRun(
  { store }: FollowedLog,
  view: LogView,
  start: number,
  over: boolean,
): Promise<{ content: string; bytes: number } | null> {
  const parts: Uint8Array[] = [];
  for await (const part of readLog(store, view, { start, end: start + limits.logRunBytes })) parts.push(part);
  const bytes = Buffer.concat(parts);
  if (bytes.length === 0) return null;
  const full = bytes.length === limits.logRunBytes;
  const lines = bytes.lastIndexOf(0x0a) + 1;
  const end = endOfRun(bytes, { over, full, lines });
  return end === 0 ? null : { content: bytes.subarray(0, end).toString('utf8'), bytes: end };
}

/**
 * Returns the end of a run: after its whole lines, unless the log is over or one line fills the run. 0 if there is no
 * whole line yet.
 */
function endOfRun(bytes: Buffer, { over, full, lines }: { over: boolean; full: boolean; lines: number }): number {
  if (over && !full) return bytes.length;
  if (lines > 0) return lines;
  return full ? wholeCharacters(bytes) : 0;
}

/** A line longer than a run is cut, never inside a character. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 4; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return lengthOfCharacter(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Bytes of the UTF-8 character that begins with this byte. */
function lengthOfCharacter(firstByte: number): number {
  if (firstByte >= 0xf0) return 4;
  if (firstByte >= 0xe0) return 3;
  return firstByte >= 0xc0 ? 2 : 1;
}

/** A bell that remembers a ring while nobody waits. */
class Bell {
  private rung = false;
  private wake: (() => void) | null = null;

  readonly ring = (): void => {
    this.rung = true;
    this.wake?.();
  };

  async wait(milliseconds: number): Promise<void> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = null;
    }
    this.rung = false;
  }
}
