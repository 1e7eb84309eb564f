import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Bytes and milliseconds granted to a client that keeps sending a body after its reply; a small remainder keeps the
 * connection usable.
 */
const mostBytes = 1024 * 1024;
const patienceMs = 5_000;
const lookMs = 100;

/**
 * Ends the connection of a client that keeps sending an unread body: Node would receive it, whatever its size, until
 * the request's timeout. The reply has been sent by then.
 */
export function boundUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    const { socket } = request;
    if (request.complete || socket.destroyed) return;
    const bytesAtReply = socket.bytesRead;
    const deadline = Date.now() + patienceMs;
    const timer = setInterval(() => {
      const over = socket.bytesRead - bytesAtReply > mostBytes || Date.now() > deadline;
      if (over && !request.complete) socket.destroy();
      if (over || request.complete || socket.destroyed) clearInterval(timer);
    }, lookMs).unref();
  });
}
