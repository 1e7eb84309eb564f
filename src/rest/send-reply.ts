import type { Response } from 'express';
import type { Reply } from '../operations/idempotency.js';
import { entityTag } from './headers.js';

/** Writes a whole reply; a body that the caller already has becomes 304, HEAD gets the headers alone. */
export function sendReply(response: Response, { status, body }: Reply, contentType = 'application/json; charset=utf-8'): void {
  // The request ran out of time: it has its answer already.
  if (response.headersSent) return;
  const { startedAt } = response.locals;
  if (typeof startedAt === 'bigint') response.set('X-Runtime', (Number(process.hrtime.bigint() - startedAt) / 1e9).toFixed(6));
  response.status(status);
  if (body === null) return void response.end();
  response.set({ 'Cache-Control': 'max-age=0, private, must-revalidate', ETag: entityTag(body), 'Content-Type': contentType }).send(body);
}
