import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../domain/limits/limits.js';

/** Responses of each connection that are not closed; null for a connection that is being closed. */
const waiting = new WeakMap<Socket, Set<ServerResponse> | null>();

/**
 * Passes requests on, and closes a connection that sends more than `limits.pipelinedRequests` without waiting for
 * replies. Node reads all that has arrived before it answers the first, each request with its objects, for any sender.
 *
 * Every response that is passed on closes with its connection. Node tells only the one whose turn it is to be sent:
 * what waits for the end of the others would be held for as long as the process lives.
 */
export function boundPipelined(listener: RequestListener): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const unsent = responsesOf(socket);
    if (unsent === null) return;
    if (unsent.size >= limits.pipelinedRequests) {
      waiting.set(socket, null);
      socket.destroy();
      passNothingOn(socket);
      return;
    }
    unsent.add(response);
    response.once('close', () => unsent.delete(response));
    void listener(request, response);
  };
}

/**
 * The parser goes on to the end of the piece that has arrived, some 2,500 requests at most, and Node offers no way to
 * stop it: without this, it makes a response for each of them. A release of Node that names the member otherwise makes
 * them again.
 */
function passNothingOn(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: unknown } | null };
  if (parser && 'onIncoming' in parser) parser.onIncoming = withoutBody;
}

/** Tells the parser to skip the body of a request, as for a reply to HEAD: nobody reads it. */
const withoutBody = () => 1;

function responsesOf(socket: Socket): Set<ServerResponse> | null {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const responses = new Set<ServerResponse>();
  waiting.set(socket, responses);
  // Node closes the response that is being sent itself, in its own listener.
  socket.once('close', () => process.nextTick(closeAll, responses));
  return responses;
}

function closeAll(responses: ReadonlySet<ServerResponse>): void {
  for (const response of responses) {
    response.destroy();
    response.emit('close');
  }
}
