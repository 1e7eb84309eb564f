import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { limits } from '../domain/limits.js';

/** Requests of each connection whose replies are not sent yet; -1 for one that is being closed. */
const waiting = new WeakMap<object, number>();

/**
 * Passes requests on, and closes a connection that sends more than `limits.pipelinedRequests` without waiting for replies. Node reads
 * all that has arrived before it answers the first, each request with its objects, whoever sends them.
 */
export function boundPipelined(listener: RequestListener): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const before = waiting.get(socket) ?? 0;
    if (before < 0) return;
    if (before >= limits.pipelinedRequests) {
      waiting.set(socket, -1);
      socket.destroy();
      return;
    }
    waiting.set(socket, before + 1);
    response.once('close', () => {
      const now = waiting.get(socket) ?? 0;
      if (now > 0) waiting.set(socket, now - 1);
    });
    void listener(request, response);
  };
}
