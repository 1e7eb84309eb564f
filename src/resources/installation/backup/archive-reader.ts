import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract as openExtract } from 'tar-stream';
import type { z } from 'zod';
import { BackupError } from './format.js';

/** An entry of an archive. Its content is read before the next entry, or passed over. */
export interface ArchiveEntry {
  name: string;
  size: number;
  content: AsyncIterable<Buffer>;
}

/** The entries of an archive in their order. Throws {@link BackupError} for what is no archive, or ends within one. */
export async function* readArchive(source: Readable): AsyncGenerator<ArchiveEntry> {
  const extract = openExtract();
  const read = pipeline(source, extract);
  read.catch(() => undefined);
  try {
    for await (const entry of extract) {
      const { name, size = 0 } = entry.header;
      yield { name, size, content: contentOf(entry as unknown as AsyncIterable<Buffer>) };
      entry.resume();
    }
    await read;
  } catch (error) {
    throw readError(error);
  } finally {
    extract.destroy();
    source.destroy();
  }
}

/** An entry that is cut off fails while it is read, which is not where the archive is. */
async function* contentOf(entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* entry;
  } catch (error) {
    throw readError(error);
  }
}

function readError(error: unknown): unknown {
  const isOfArchive =
    error instanceof Error && /Invalid tar header|Unexpected end of data|premature/i.test(error.message);
  return isOfArchive ? new BackupError(`the backup is cut off or damaged: ${error.message}`) : error;
}

/** The whole content of an entry, which has at most `limit` bytes, and its SHA-256. */
export async function readContent(
  { name, size, content }: ArchiveEntry,
  limit: number,
): Promise<{ bytes: Buffer; sha256: string }> {
  if (size > limit) throw new BackupError(`the entry ${name} has ${size} bytes, and may have ${limit}`);
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part);
  const bytes = Buffer.concat(parts);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The SHA-256 of an entry whose content goes by. */
export async function digestContent({ content }: ArchiveEntry): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of content) hash.update(part);
  return hash.digest('hex');
}

/** Reads JSON of a shape. Throws {@link BackupError} naming what it is. */
export function parseAs<S extends z.ZodType>(schema: S, bytes: Buffer, what: string): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new BackupError(`${what} of the backup is not JSON: the file is damaged`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new BackupError(`${what} of the backup is not as expected: ${issue?.path.join('.')}: ${issue?.message}`);
}
