import type { Response } from 'express';
import type { Reply } from '../../core/idempotency.js';
import { entityTag } from './headers.js';

/** A reply as it is sent, with headers of its own. */
export interface SentReply {
  status: number;
  body: Reply['body'] | Buffer;
  /** The `Link` header. */
  link?: string | null;
  /** The entity tag of the body, where it is known. */
  tag?: string;
}

/** Sends a reply. Answers 304 if the client's ETag matches, and only headers to HEAD. */
export function sendReply(
  response: Response,
  { status, body, link = null, tag }: SentReply,
  contentType = 'application/json; charset=utf-8',
): void {
  // The request timed out and was answered 503.
  if (response.headersSent) return;
  const { startedAt } = response.locals;
  if (typeof startedAt === 'bigint')
    response.set('X-Runtime', (Number(process.hrtime.bigint() - startedAt) / 1e9).toFixed(6));
  response.status(status);
  if (link !== null) response.set('Link', link);
  if (body === null) return void response.end();
  // Express sends the whole body to `Cache-Control: no-cache`, which fetch of Node adds to every conditional request; the
  // header is about caches on the way, and the reply is compared here anyway.
  delete response.req.headers['cache-control'];
  response
    .set({
      'Cache-Control': 'max-age=0, private, must-revalidate',
      ETag: tag ?? entityTag(body),
      'Content-Type': contentType,
    })
    .send(body);
}
