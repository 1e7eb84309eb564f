import type { Response } from 'express';
import type { Reply } from '../../core/idempotency.js';
import { entityTag } from './headers.js';

/** Sends a reply. Answers 304 if the client's ETag matches, and only headers to HEAD. */
export function sendReply(
  response: Response,
  { status, body }: { status: number; body: Reply['body'] | Buffer },
  contentType = 'application/json; charset=utf-8',
): void {
  // The request timed out and was answered 503.
  if (response.headersSent) return;
  const { startedAt } = response.locals;
  if (typeof startedAt === 'bigint')
    response.set('X-Runtime', (Number(process.hrtime.bigint() - startedAt) / 1e9).toFixed(6));
  response.status(status);
  if (body === null) return void response.end();
  response
    .set({ 'Cache-Control': 'max-age=0, private, must-revalidate', ETag: entityTag(body), 'Content-Type': contentType })
    .send(body);
}
