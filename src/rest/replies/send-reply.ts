import type { ServerResponse } from 'node:http';
import fresh from 'fresh';
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

/** Notes when a request came, for the header that tells how long its reply took. */
export const startedAt = new WeakMap<ServerResponse, bigint>();

/**
 * Sends a reply. Answers 304 if the client's ETag matches, and only headers to HEAD. It writes with Node's own methods: kept replies
 * are sent before Express has seen the request.
 */
export function sendReply(
  response: ServerResponse,
  { status, body, link = null, tag }: SentReply,
  contentType = 'application/json; charset=utf-8',
): void {
  // The request timed out and was answered 503.
  if (response.headersSent) return;
  const start = startedAt.get(response);
  if (start !== undefined) response.setHeader('X-Runtime', (Number(process.hrtime.bigint() - start) / 1e9).toFixed(6));
  response.statusCode = status;
  if (link !== null) response.setHeader('Link', link);
  if (body === null) return void response.end();
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const ownTag = tag ?? entityTag(bytes);
  response.setHeader('Cache-Control', 'max-age=0, private, must-revalidate');
  response.setHeader('ETag', ownTag);
  const { method, headers } = response.req;
  const isRead = method === 'GET' || method === 'HEAD';
  // `Cache-Control: no-cache`, which fetch of Node adds to every conditional request, is about caches on the way.
  if (
    isRead &&
    status >= 200 &&
    status < 300 &&
    fresh({ 'if-none-match': headers['if-none-match'] }, { etag: ownTag })
  ) {
    response.statusCode = 304;
    return void response.end();
  }
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', bytes.length);
  if (method === 'HEAD') response.end();
  else response.end(bytes);
}
