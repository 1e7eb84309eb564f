import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack as openPack } from 'tar-stream';

/** Size and SHA-256 of an entry's content. */
export interface Digest {
  bytes: number;
  sha256: string;
}

/** Writes a tar archive entry by entry into a stream, as fast as that takes it. */
export class ArchiveWriter {
  private readonly pack: Pack = openPack();
  private readonly written: Promise<void>;
  /** Rejects when the stream fails, so that nothing waits for a stream that takes nothing any more. */
  private readonly failed: Promise<never>;

  constructor(
    sink: Writable,
    private readonly madeAt: Date,
  ) {
    this.written = pipeline(this.pack, sink);
    this.failed = new Promise((_, reject) => this.written.catch(reject));
    this.failed.catch(() => undefined);
  }

  /** Adds an entry of these bytes. */
  async add(name: string, content: Buffer): Promise<Digest> {
    return this.addStream(name, content.length, [content]);
  }

  /** Adds an entry of `size` bytes; rejects if there are more or fewer. */
  async addStream(
    name: string,
    size: number,
    content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<Digest> {
    const hash = createHash('sha256');
    let bytes = 0;
    const ended = new Promise<void>((resolve, reject) => {
      // Entries belong to nobody, so that an archive unpacked by root is not somebody's by accident.
      const header = { name, size, mode: 0o600, mtime: this.madeAt, uid: 0, gid: 0 };
      const entry = this.pack.entry(header, (error) => (error ? reject(error) : resolve()));
      const write = async () => {
        for await (const piece of content) {
          hash.update(piece);
          bytes += piece.length;
          if (!entry.write(piece)) await Promise.race([drained(entry), this.failed]);
        }
        (entry as unknown as Writable).end();
      };
      write().catch(reject);
    });
    await Promise.race([ended, this.failed]);
    return { bytes, sha256: hash.digest('hex') };
  }

  /** Ends the archive and waits until the stream has taken all of it. */
  async finish(): Promise<void> {
    this.pack.finalize();
    await this.written;
  }

  /** Gives the archive up. */
  async abandon(): Promise<void> {
    this.pack.destroy();
    await this.written.catch(() => undefined);
  }
}

const drained = (entry: NodeJS.EventEmitter) => new Promise<void>((resolve) => entry.once('drain', () => resolve()));
