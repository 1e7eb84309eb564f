import type { Readable } from 'node:stream';
import { digestContent, parseAs, readArchive, readContent } from './archive-reader.js';
import {
  BackupError,
  type BackupHeader,
  type BackupManifest,
  entryNames,
  formatVersion,
  headerSchema,
  indexSchema,
  keyOfEntry,
  manifestSchema,
  tableOfEntry,
} from './format.js';

/** Bytes that the entries may have that are read whole. */
const headerBytes = 16 * 1024 * 1024;
const manifestBytes = 256 * 1024 * 1024;
/** A piece of rows, as it is stored: one row may be large. */
export const pieceBytes = 512 * 1024 * 1024;
const indexBytes = 16 * 1024 * 1024;

/** A backup that was read from its begin to its end, and is whole. */
export interface VerifiedBackup {
  header: BackupHeader;
  manifest: BackupManifest;
}

/** Opens a backup to be read from its begin; it is read more than once. */
export type OpenBackup = () => Promise<Readable>;

/** The header of a backup: what can be decided before it is read whole. */
export async function readHeader(open: OpenBackup): Promise<BackupHeader> {
  for await (const entry of readArchive(await open())) {
    if (entry.name !== entryNames.header) break;
    const header = parseAs(headerSchema, (await readContent(entry, headerBytes)).bytes, 'the header');
    if (header.format > formatVersion)
      throw new BackupError(
        `the backup has format ${header.format}, and this program reads up to ${formatVersion}: ` +
          `restore it with release ${header.version} or a newer one`,
      );
    return header;
  }
  throw new BackupError('the backup is none of Slipway: its first entry is another');
}

/**
 * Reads a backup whole and compares every entry with its digest. Throws {@link BackupError} for one that is cut off or
 * damaged, before anything is restored of it.
 */
export async function verifyBackup(
  open: OpenBackup,
  progress: (bytes: number) => void = () => undefined,
): Promise<VerifiedBackup> {
  const header = await readHeader(open);
  const check = new Verification(header);
  let bytes = 0;
  for await (const entry of readArchive(await open())) {
    const table = tableOfEntry(entry.name);
    const key = keyOfEntry(entry.name);
    bytes += entry.size;
    if (entry.name === entryNames.manifest)
      check.end(parseAs(manifestSchema, (await readContent(entry, manifestBytes)).bytes, 'the manifest'));
    else if (table !== null) check.piece(table, entry.size, await digestContent(entry));
    else if (key !== null) check.object(key, entry.size, await digestContent(entry));
    else if (entry.name.startsWith('index/')) {
      const { bytes: content, sha256 } = await readContent(entry, indexBytes);
      check.index(content, sha256);
    } else if (entry.name !== entryNames.header) throw damaged(`it has an entry ${JSON.stringify(entry.name)}`);
    progress(bytes);
  }
  return { header, manifest: check.result() };
}

/** What was read so far, to be compared with the manifest at the end. */
class Verification {
  private readonly pieces = new Map<string, { bytes: number; sha256: string }[]>();
  private readonly indexes: string[] = [];
  /** Objects that no index has named yet. */
  private objects = new Map<string, { size: number; sha256: string }>();
  private count = 0;
  private manifest: BackupManifest | null = null;

  constructor(private readonly header: BackupHeader) {}

  piece(table: string, bytes: number, sha256: string): void {
    const pieces = this.pieces.get(table) ?? [];
    pieces.push({ bytes, sha256 });
    this.pieces.set(table, pieces);
  }

  object(key: string, size: number, sha256: string): void {
    this.objects.set(key, { size, sha256 });
    this.count += 1;
  }

  index(content: Buffer, sha256: string): void {
    this.indexes.push(sha256);
    for (const object of parseAs(indexSchema, content, 'an index')) {
      if (object.sha256 === null) continue;
      const stored = this.objects.get(object.key);
      if (stored?.size !== object.size || stored.sha256 !== object.sha256)
        throw damaged(`the object ${object.key} is not what it was`);
      this.objects.delete(object.key);
    }
    if (this.objects.size > 0) throw damaged(`no index names the object ${[...this.objects.keys()][0]}`);
  }

  end(manifest: BackupManifest): void {
    if (manifest.backup !== this.header.id) throw damaged('its manifest is that of another backup');
    for (const { name, pieces } of manifest.tables) {
      const read = this.pieces.get(name) ?? [];
      if (JSON.stringify(read) !== JSON.stringify(pieces)) throw damaged(`the rows of ${name} are not what they were`);
    }
    const sums = manifest.indexes.map(({ sha256 }) => sha256);
    if (JSON.stringify(sums) !== JSON.stringify(this.indexes)) throw damaged('the index of its objects is not whole');
    if (this.count !== manifest.objects.count || this.objects.size > 0)
      throw damaged(`it has ${this.count} objects, and should have ${manifest.objects.count}`);
    this.manifest = manifest;
  }

  result(): BackupManifest {
    if (this.manifest === null)
      throw new BackupError(
        'the backup is not whole: it ends before its manifest. Was it interrupted while it was made?',
      );
    return this.manifest;
  }
}

const damaged = (reason: string) => new BackupError(`the backup is damaged: ${reason}`);
