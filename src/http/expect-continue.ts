import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * A listener for `checkContinue`: a client that sent `Expect: 100-continue` holds its body back until a surface reads
 * it, so a refusal by credential or Content-Length costs neither side the body.
 */
export function holdBodyBack(listener: RequestListener): RequestListener {
  return (request, response) => {
    waiting.set(request, response);
    listener(request, response);
  };
}

/** Asks a client that waits with its body to send it; called just before a body is read. */
export function inviteBody(request: IncomingMessage): void {
  const response = waiting.get(request);
  if (!response) return;
  waiting.delete(request);
  if (!response.headersSent && !response.destroyed) response.writeContinue();
}
