import { AgentHttpError } from '../http.js';
import type { LogChunk } from './job-client.js';
import type { AgentLog } from '../options.js';

export interface LogStreamerOptions {
  /** Sends one chunk, retries included. */
  upload: (chunk: LogChunk) => Promise<void>;
  maxChunkBytes: number;
  intervalSeconds: number;
  log: AgentLog;
  /** Bytes that may wait before writers have to. Default 8 MiB. */
  highWaterBytes?: number;
}

const maxInFlight = 3;

/**
 * Cuts the log into numbered chunks and uploads at most three at a time. A chunk that the server refuses is counted and
 * skipped: the log then has a gap, and the job continues.
 */
export class LogStreamer {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private readonly queue: LogChunk[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private pendingBytes = 0;
  private sequence = 0;
  private offset = 0;
  private failed = 0;
  private drained: (() => void)[] = [];
  private readonly timer: NodeJS.Timeout;
  private readonly highWater: number;

  constructor(private readonly options: LogStreamerOptions) {
    this.highWater = options.highWaterBytes ?? 8 * 1024 * 1024;
    this.timer = setInterval(() => this.flush(), options.intervalSeconds * 1000);
  }

  /** Takes bytes of the log; resolves when there is room for more. */
  async write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    this.pendingBytes += bytes.length;
    if (this.pendingBytes < this.highWater) return;
    this.flush();
    await new Promise<void>((resolve) => this.drained.push(resolve));
  }

  /** Uploads the rest and gives how many chunks were lost. */
  async close(): Promise<number> {
    clearInterval(this.timer);
    this.flush();
    while (this.inFlight.size > 0) await Promise.race(this.inFlight);
    return this.failed;
  }

  private flush(): void {
    const bytes = Buffer.concat(this.waiting, this.waitingBytes);
    this.waiting = [];
    this.waitingBytes = 0;
    for (let start = 0; start < bytes.length; start += this.options.maxChunkBytes) {
      const piece = bytes.subarray(start, start + this.options.maxChunkBytes);
      this.sequence += 1;
      this.queue.push({ sequence: this.sequence, offset: this.offset, bytes: piece });
      this.offset += piece.length;
    }
    this.pump();
  }

  private pump(): void {
    while (this.inFlight.size < maxInFlight) {
      const chunk = this.queue.shift();
      if (chunk === undefined) return;
      const upload = this.send(chunk).finally(() => {
        this.inFlight.delete(upload);
        this.pendingBytes -= chunk.bytes.length;
        this.pump();
        if (this.pendingBytes < this.highWater / 2) this.drained.splice(0).forEach((resume) => resume());
      });
      this.inFlight.add(upload);
    }
  }

  private async send(chunk: LogChunk): Promise<void> {
    try {
      await this.options.upload(chunk);
    } catch (error) {
      this.failed += 1;
      const message = error instanceof AgentHttpError ? error.message : String(error);
      this.options.log.warn({ sequence: chunk.sequence, size: chunk.bytes.length, message }, 'log chunk lost');
    }
  }
}
