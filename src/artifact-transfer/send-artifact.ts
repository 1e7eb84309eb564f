import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { isShownInPlace, splitArtifactPath } from '../domain/builds/artifact-path.js';
import { Problem } from '../domain/problem.js';
import type { ReadableArtifact } from '../resources/builds/artifacts/readable-artifact.js';

/**
 * Sends an artifact's bytes, whole or the requested range. Files of jobs are untrusted: browsers run nothing of them on
 * this origin, and save the types that they would have to run.
 */
export async function sendArtifact(file: ReadableArtifact, request: Request, response: Response): Promise<void> {
  const { contentType, path } = file.artifact;
  const { filename } = splitArtifactPath(path);
  response.attachment(filename || 'artifact');
  const disposition = String(response.getHeader('Content-Disposition'));
  // Not by `set`, which would add a charset that nobody stated.
  response.setHeader('Content-Type', contentType);
  response.set({
    'Content-Disposition': isShownInPlace(contentType) ? disposition.replace(/^attachment/, 'inline') : disposition,
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox",
  });
  await sendBytes(file, request, response);
}

/**
 * Sends an artifact's bytes, whole or the requested range, with a status and the headers that all such replies have;
 * type, disposition and policy are set.
 */
export async function sendBytes(
  { artifact, open }: ReadableArtifact,
  request: Request,
  response: Response,
): Promise<void> {
  const { fileSize: size, sha1sum } = artifact;
  const tag = `"${sha1sum}"`;
  response.set({
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

/**
 * Returns the requested range, with an exclusive end; null for several or unreadable ranges, which are ignored (RFC
 * 9110, 14.2).
 */
function readRange(
  request: Request,
  size: number,
  tag: string,
): { start: number; end: number } | 'unsatisfiable' | null {
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
