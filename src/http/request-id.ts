import type { IncomingMessage, ServerResponse } from 'node:http';
import { v7 } from 'uuid';

/**
 * Id of a request: the `X-Request-Id` it came with where that is harmless text of at most 128 characters, else the one
 * the reply already carries, else a new one. Sets the header of the reply.
 */
export function setRequestId(request: IncomingMessage, response: ServerResponse): string {
  const sent = request.headers['x-request-id'];
  const present = response.getHeader('X-Request-Id');
  const id = harmless(sent) ?? harmless(present) ?? v7();
  response.setHeader('X-Request-Id', id);
  return id;
}

const harmless = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Za-z0-9._:=+/-]{1,128}$/.test(value) ? value : null;
