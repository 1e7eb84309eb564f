/**
 * Longest text of lines that waits for a slow reader, in characters: later lines are dropped until half of it is read.
 */
const mostWaiting = 1024 * 1024;
/**
 * After a failed write lines are dropped for so long; the next one tries again, because a full disk may have been
 * cleared.
 */
const retryMs = 1_000;

/** The part of a stream that a log is written to. */
export type LogStream = Pick<NodeJS.WriteStream, 'write' | 'on' | 'writableLength'>;

/**
 * Writes the lines of a log, and drops the lines that cannot be written: a reader that has gone away or does not read,
 * or a full disk, must neither stop the process nor fill its memory. Nothing here throws, logs or waits.
 */
export class LogOutput {
  /** Whether lines are being dropped. */
  stopped = false;
  /** Lines dropped since the process started. */
  lost = 0;
  private lostWhenStopped = 0;
  private retryAt = 0;

  /** `resumed` is called with the number of lost lines when lines are written again. */
  constructor(
    private readonly stream: LogStream,
    private readonly resumed: (lost: number) => void,
  ) {
    // Each failed write tells its callback, too; without a listener the event would be an uncaught error, to be logged.
    stream.on('error', () => undefined);
  }

  write(line: string): void {
    if (this.stopped && performance.now() < this.retryAt) return this.drop();
    if (this.stream.writableLength > mostWaiting) return this.stop();
    try {
      this.stream.write(line, (error) => (error ? this.stop() : this.resume()));
    } catch {
      this.stop();
    }
  }

  private stop(): void {
    if (!this.stopped) this.lostWhenStopped = this.lost;
    this.stopped = true;
    this.retryAt = performance.now() + retryMs;
    this.drop();
  }

  private drop(): void {
    this.lost += 1;
  }

  private resume(): void {
    if (!this.stopped || this.stream.writableLength > mostWaiting / 2) return;
    this.stopped = false;
    this.resumed(this.lost - this.lostWhenStopped);
  }
}

const outputs = new WeakMap<object, LogOutput>();

/** Remembers where a log writes to. */
export function setOutput(log: object, output: LogOutput): void {
  outputs.set(log, output);
}

/** Destination of a log; undefined for a log that `createLog` did not make, as in tests. */
export function outputOf(log: object): LogOutput | undefined {
  return outputs.get(log);
}
