import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { ZipFile } from 'yazl';
import { isCompressible } from '../domain/builds/archive-names.js';
import { limits } from '../domain/limits/limits.js';
import type { ReadableArchive } from '../operations/builds/artifacts/read-archive.js';
import type { ArchiveGap } from '../resources/builds/artifacts/archive.js';
import type { ArchiveTurns } from './archive-turns.js';

/** Fast: the network is slower than the rest. */
const compressionLevel = 1;
const nameOfGaps = 'NOT IN THIS ARCHIVE.txt';

/**
 * Sends an archive, one file after another, as fast as the reader reads: of its bytes only those on the way are in
 * memory. A reader that goes away ends it, and so does a storage that fails.
 */
export async function sendArchive(
  archive: ReadableArchive,
  turns: ArchiveTurns,
  request: Request,
  response: Response,
): Promise<void> {
  response.attachment(`${archive.name}.zip`);
  response.set({
    'Content-Type': 'application/zip',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'none',
    'Cache-Control': 'no-store',
  });
  if (request.method === 'HEAD') return void response.end();
  await turns.take(response, archive.organizationId);
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const stop = new AbortController();
  const end = () => stop.abort(new Error('the reader has left'));
  response.once('close', end);
  zip.on('error', (error: Error) => stop.abort(error));
  const sent = pipeline(output, response);
  // Whatever ends it is thrown below.
  sent.catch(end);
  try {
    await fill(zip, archive, stop.signal);
    await sent;
  } catch (error) {
    output.destroy();
    // One that leaves is no failure; else the connection breaks off, so that nobody takes a part for the whole.
    if (!response.destroyed) throw error;
  }
}

async function fill(zip: ZipFile, archive: ReadableArchive, signal: AbortSignal): Promise<void> {
  const gaps: ArchiveGap[] = [];
  for await (const file of archive.files()) {
    signal.throwIfAborted();
    const { path, contentType, fileSize, createdAt } = file.artifact;
    const bytes = await archive.open(file);
    if (!bytes) {
      gaps.push({ path, reason: 'was deleted' });
      continue;
    }
    const abort = () => bytes.destroy();
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      zip.addReadStream(bytes, file.name, {
        size: fileSize,
        mtime: createdAt,
        mode: 0o100644,
        compressionLevel: isCompressible(contentType) ? compressionLevel : 0,
      });
      await finished(bytes, { writable: false });
    } catch (error) {
      // Why it broke off, where that is known.
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
      bytes.destroy();
    }
  }
  gaps.push(...(await archive.gaps()));
  signal.throwIfAborted();
  if (gaps.length > 0)
    zip.addBuffer(Buffer.from(textOfGaps(gaps)), archive.names.nameOf(nameOfGaps, 'archive'), { compress: false });
  zip.end();
}

function textOfGaps(gaps: readonly ArchiveGap[]): string {
  const { artifactArchiveGaps } = limits;
  const lines = gaps.slice(0, artifactArchiveGaps).map(({ path, reason }) => `${path} ${reason}`);
  if (gaps.length > artifactArchiveGaps) lines.push('… and others');
  return `These artifacts are not in this archive:\n\n${lines.join('\n')}\n`;
}
