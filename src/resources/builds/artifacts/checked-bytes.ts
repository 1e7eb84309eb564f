import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { Problem } from '../../../domain/problem.js';

interface Expected {
  fileSize: number;
  sha1sum: string;
  sha256sum: string | null;
}

export const tooManyBytes = ({ fileSize }: Pick<Expected, 'fileSize'>) =>
  new Problem('too_large', `The artifact was announced with ${fileSize} bytes and has more`);

/** Passes bytes on; fails at the end unless size and hash are the registered ones. */
export class CheckedBytes extends Transform {
  /** SHA-256 of all bytes, after the end. */
  sha256sum = '';
  private readonly sha1 = createHash('sha1');
  private readonly sha256 = createHash('sha256');
  private bytes = 0;

  constructor(private readonly expected: Expected) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.expected.fileSize) return done(tooManyBytes(this.expected));
    this.sha1.update(chunk);
    this.sha256.update(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const { fileSize, sha1sum, sha256sum } = this.expected;
    this.sha256sum = this.sha256.digest('hex');
    if (this.bytes < fileSize)
      return done(
        new Problem('wrong_state', `The artifact was announced with ${fileSize} bytes, ${this.bytes} arrived`),
      );
    if (this.sha1.digest('hex') !== sha1sum || (sha256sum !== null && this.sha256sum !== sha256sum))
      return done(new Problem('wrong_state', 'The bytes are not those that were announced: their checksum differs'));
    done();
  }
}
