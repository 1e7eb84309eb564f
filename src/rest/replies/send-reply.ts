import type { ServerResponse } from 'node:http';
import fresh from 'fresh';
import type { Reply } from '../../core/idempotency.js';
import { problemOf } from '../../http/problem-reply.js';
import type { RequestBounds } from '../../http/request-bounds.js';
import { lengthOf, type Pieces, sendPieces, smallBody } from '../../http/send-pieces.js';
import { entityTag, entityTagOf } from './headers.js';
import { problemReply } from './problems.js';

/** A reply as it is sent, with headers of its own. */
export interface SentReply {
  status: number;
  body: Reply['body'] | Buffer | Pieces;
  /** The `Link` header. */
  link?: string | null;
  /** The entity tag of the body, where it is known. */
  tag?: string;
}

/** Notes when a request came, for the header that tells how long its reply took. */
export const startedAt = new WeakMap<ServerResponse, bigint>();

/**
 * Sends a reply. Answers 304 if the client's ETag matches, and only headers to HEAD. It writes with Node's own methods:
 * kept replies are sent before Express has seen the request. A large body is sent after this returns, in pieces, as its
 * client reads it.
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
  if (status === 302 || status === 303) response.setHeader('Location', addressIn(body));
  const pieces = piecesOf(body);
  const size = lengthOf(pieces);
  if (size > smallBody) return void sendLarge(response, { pieces, size, tag, contentType });
  const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, size);
  if (!begin(response, { size, tag: tag ?? entityTag(bytes), contentType })) return;
  response.end(bytes);
}

/** The address of a redirection, which is in its body for clients that do not follow. */
const addressIn = (body: SentReply['body']): string => (JSON.parse(String(body)) as { url: string }).url;

/** A body as pieces. */
export const piecesOf = (body: string | Buffer | Pieces): Pieces => {
  if (typeof body === 'string') return [Buffer.from(body)];
  return body instanceof Uint8Array ? [body] : body;
};

/** Sets the headers of a reply with a body; false if the body is not to be sent: the response has ended then. */
function begin(
  response: ServerResponse,
  { size, tag, contentType }: { size: number; tag: string; contentType: string },
): boolean {
  response.setHeader('Cache-Control', 'max-age=0, private, must-revalidate');
  response.setHeader('ETag', tag);
  const { statusCode: status } = response;
  const { method, headers } = response.req;
  const isRead = method === 'GET' || method === 'HEAD';
  // `Cache-Control: no-cache`, which fetch of Node adds to every conditional request, is about caches on the way.
  if (isRead && status >= 200 && status < 300 && fresh({ 'if-none-match': headers['if-none-match'] }, { etag: tag })) {
    response.statusCode = 304;
    response.end();
    return false;
  }
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', size);
  if (method !== 'HEAD') return true;
  response.end();
  return false;
}

interface LargeBody {
  pieces: Pieces;
  size: number;
  tag: string | undefined;
  contentType: string;
}

/** Never rejects. */
async function sendLarge(response: ServerResponse, { pieces, size, tag, contentType }: LargeBody): Promise<void> {
  try {
    const ownTag = tag ?? (await entityTagOf(pieces));
    if (response.headersSent || response.destroyed) return;
    // What was read is not held any more once the pieces have room of their own.
    if (begin(response, { size, tag: ownTag, contentType }))
      await sendPieces(response, pieces, () => boundsOf(response)?.share.release());
  } catch (error) {
    const problem = problemOf(error);
    if (response.headersSent || response.destroyed || !problem) return void response.destroy();
    const { status, headers, body } = problemReply(problem);
    for (const name of ['ETag', 'Link']) response.removeHeader(name);
    response.statusCode = status;
    const text = JSON.stringify(body);
    for (const [name, value] of Object.entries({ 'Cache-Control': 'no-cache', ...headers }))
      response.setHeader(name, value);
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(text);
  }
}

/** Replies that are sent before Express has the request have none. */
const boundsOf = (response: ServerResponse & { locals?: Record<string, unknown> }) =>
  response.locals?.['bounds'] as RequestBounds | undefined;
