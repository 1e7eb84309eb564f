import { limits } from '../../domain/limits.js';
import { isTerminal } from '../../domain/job-state.js';
import { readLog } from '../../storage/logs/read-log.js';
import type { ReadableLog } from '../jobs/read-log.js';
import { logPosition } from './cursor.js';
import type { LogWatch } from './log-watch.js';

/** How often somebody whose log is silent is looked at again. */
const idleCheckMs = 10_000;
/** A finished job's log may still grow by chunks that were on their way: it has ended once it was silent for so long. */
const quietMs = 2_000;

/** A run of a log's lines. */
export interface LogMessage {
  /** Goes on after this run, as `after`: the bytes given out so far. */
  cursor: string;
  /** Where the run begins in the log, in bytes. */
  offset: number;
  content: string;
  /** Bytes of the whole log by now. */
  size: number;
  /** The job has finished and this is the end; the stream ends with it. */
  finished: boolean;
}

export interface LogAsked {
  watch: LogWatch;
  jobId: string;
  /** How many bytes were seen; null for none. */
  after: string | null;
  /** Opens the log as the caller, who is checked each time; throws where they may not, or no longer. */
  open(): Promise<ReadableLog>;
}

/**
 * Follows a log by its bytes: whole lines while the job runs, in runs of a bounded size, each byte once, until the job
 * is finished. Nothing is kept for a slow reader: the next run is read when it is asked for.
 */
export async function* followLog({ watch, jobId, after, open }: LogAsked, signal: AbortSignal): AsyncGenerator<LogMessage> {
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
        yield { cursor: String(at + run.bytes), offset: at, content: run.content, size: Math.max(log.size, at + run.bytes), finished: false };
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

/** The next whole lines from `start` on, or all there is where the log is over; null where there is nothing to tell yet. */
async function nextRun({ store }: ReadableLog, view: ReadableLog['view'], start: number, over: boolean): Promise<{ content: string; bytes: number } | null> {
  const parts: Uint8Array[] = [];
  for await (const part of readLog(store, view, { start, end: start + limits.logRunBytes })) parts.push(part);
  const bytes = Buffer.concat(parts);
  if (bytes.length === 0) return null;
  const full = bytes.length === limits.logRunBytes;
  const lines = bytes.lastIndexOf(0x0a) + 1;
  const end = over && !full ? bytes.length : lines > 0 ? lines : full ? wholeCharacters(bytes) : 0;
  return end === 0 ? null : { content: bytes.subarray(0, end).toString('utf8'), bytes: end };
}

/** A line longer than a run is cut, never inside a character. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 4; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Rings that come while nobody waits are not lost. */
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
