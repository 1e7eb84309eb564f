import { Transform } from 'node:stream';
import { tooLarge } from './storage.js';

/** Returns a stream that counts bytes and fails with `too_large` beyond the limit. */
export class LimitBytes extends Transform {
  /** Bytes seen so far. */
  bytes = 0;

  constructor(
    private readonly key: string,
    private readonly maxBytes: number,
  ) {
    super();
  }

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error?: Error | null, data?: Buffer) => void,
  ): void {
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes) done(tooLarge(this.key, this.maxBytes));
    else done(null, chunk);
  }
}
