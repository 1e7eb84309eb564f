import type { IncomingMessage, ServerResponse } from 'node:http';
import { webcrypto } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * Id of a request: the `X-Request-Id` it came with where that is harmless text of at most 128 characters, else the one
 * the reply already carries, else a new one. Sets the header of the reply.
 */
export function setRequestId(request: IncomingMessage, response: ServerResponse): string {
  const sent = request.headers['x-request-id'];
  const present = response.getHeader('X-Request-Id');
  const id = harmless(sent) ?? harmless(present) ?? newRequestId();
  response.setHeader('X-Request-Id', id);
  return id;
}

const harmless = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Za-z0-9._:=+/-]{1,128}$/.test(value) ? value : null;

/** Random bytes for some hundred ids: to get them one by one takes longer than all the rest of an id. */
const random = new Uint8Array(16 * 256);
let position = random.length;

/** A new id of a request, UUIDv7. */
export function newRequestId(): string {
  if (position === random.length) {
    webcrypto.getRandomValues(random);
    position = 0;
  }
  position += 16;
  return v7({ random: random.subarray(position - 16, position) });
}
