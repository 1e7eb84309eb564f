import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../../../entities/database.js';
import type { StoredRow } from '../storage/stored-object-kind.js';
import { storedObjectKinds } from '../storage/stored-object-kinds.js';

/** An object that a row of a snapshot names. */
export interface NamedObject extends Pick<StoredRow, 'key' | 'size' | 'sha256' | 'run'> {
  kind: string;
}

const rowsOfAPage = 1000;

/**
 * The objects that the rows of a snapshot name, in a temporary file: there are millions, and they are read when the
 * snapshot is closed.
 */
export class NamedObjects {
  private constructor(private readonly folder: string) {}

  static async list(trx: Db): Promise<NamedObjects> {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-backup-'));
    const objects = new NamedObjects(folder);
    try {
      await pipeline(Readable.from(linesOf(trx)), createWriteStream(objects.file, { mode: 0o600 }));
      return objects;
    } catch (error) {
      await objects.remove();
      throw error;
    }
  }

  async *read(): AsyncGenerator<NamedObject> {
    const lines = createInterface({ input: createReadStream(this.file, 'utf8'), crlfDelay: Infinity });
    for await (const line of lines) yield JSON.parse(line) as NamedObject;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private get file(): string {
    return join(this.folder, 'objects');
  }
}

async function* linesOf(trx: Db): AsyncGenerator<string> {
  for (const { name, rowsAfter } of storedObjectKinds) {
    for (let cursor: StoredRow['cursor'] | null = null; ;) {
      const rows: StoredRow[] = await rowsAfter({ db: trx }, cursor, rowsOfAPage);
      const objects = rows.map(({ key, size, sha256, run }): NamedObject => ({ kind: name, key, size, sha256, run }));
      if (objects.length > 0) yield `${objects.map((object) => JSON.stringify(object)).join('\n')}\n`;
      if (rows.length < rowsOfAPage) break;
      cursor = rows.at(-1)?.cursor ?? null;
    }
  }
}
