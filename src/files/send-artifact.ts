import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { isShownInPlace, splitArtifactPath } from '../domain/artifact-path.js';
import { Problem } from '../domain/problem.js';
import type { ReadableArtifact } from '../operations/artifacts/read.js';

/**
 * Writes an artifact's bytes, whole or the range asked for. What jobs leave behind is not to be trusted: a browser
 * runs nothing of it on this origin, and saves what it would have to run.
 */
export async function sendArtifact({ artifact, open }: ReadableArtifact, request: Request, response: Response): Promise<void> {
  const { contentType, fileSize: size, path, sha1sum } = artifact;
  const { filename } = splitArtifactPath(path);
  const tag = `"${sha1sum}"`;
  response.attachment(filename || 'artifact');
  const disposition = String(response.getHeader('Content-Disposition'));
  // As it was given: `set` would add a character set that nobody has named.
  response.setHeader('Content-Type', contentType);
  response.set({
    'Content-Disposition': isShownInPlace(contentType) ? disposition.replace(/^attachment/, 'inline') : disposition,
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=0, must-revalidate',
    ETag: tag,
    'Last-Modified': artifact.createdAt.toUTCString(),
  });
  if (request.fresh) return void response.status(304).end();
  const range = readRange(request, size, tag);
  if (range === 'unsatisfiable') {
    response.set('Content-Range', `bytes */${size}`);
    throw new Problem('range_not_satisfiable', 'The artifact has no such bytes');
  }
  const { start, end } = range ?? { start: 0, end: size };
  if (range) response.status(206).set('Content-Range', `bytes ${start}-${end - 1}/${size}`);
  response.set('Content-Length', String(end - start));
  if (request.method === 'HEAD' || start === end) return void response.end();
  await stream(response, await open(range ?? {}));
}

/** The one range asked for, its end not included. Several, or one that cannot be read, are as good as none (RFC 9110, 14.2). */
function readRange(request: Request, size: number, tag: string): { start: number; end: number } | 'unsatisfiable' | null {
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== tag) return null;
  const ranges = request.range(size, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  const [range] = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges : [];
  return range ? { start: range.start, end: range.end + 1 } : null;
}

/** Writes as fast as the reader reads; one that goes away ends it. */
async function stream(response: Response, bytes: NodeJS.ReadableStream): Promise<void> {
  try {
    await pipeline(bytes, response);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
  }
}
