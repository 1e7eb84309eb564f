import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 } from 'uuid';
import { boundUnreadBody } from '../http/unread-body.js';

export type GateState = 'starting' | 'ready' | 'draining';

/**
 * Handler in front of the application. While the process starts or drains it answers every request 503, so that no
 * agent sees a 404 or 401, which would end it, or its streamed pings for good.
 */
export class Gate {
  state: GateState = 'starting';
  private application: RequestListener | null = null;
  private readonly inFlight = new Set<ServerResponse>();

  readonly listener: RequestListener = (request, response) => {
    boundUnreadBody(request, response);
    if (this.application && this.state === 'ready') {
      this.inFlight.add(response);
      response.once('close', () => this.inFlight.delete(response));
      this.application(request, response);
      return;
    }
    refuse(request, response, this.state);
  };

  open(application: RequestListener): void {
    this.application = application;
    this.state = 'ready';
  }

  /** From now on every request is answered 503; those in flight go on. */
  close(): void {
    this.state = 'draining';
  }

  /**
   * Stops accepting, lets the requests in flight finish, then closes every connection.
   * @param patience milliseconds after which connections still busy are cut
   * @returns the number of requests that had to be cut
   */
  async drain(server: Server, patience: number): Promise<number> {
    this.close();
    for (const response of this.inFlight) response.shouldKeepAlive = false;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const deadline = Date.now() + patience;
    while (this.inFlight.size > 0 && Date.now() < deadline) await sleep(20);
    const cut = this.inFlight.size;
    // Keep-alive connections would hold the process for their whole idle time; upgraded ones are closed by their owner.
    server.closeAllConnections();
    await Promise.race([closed, sleep(500, undefined, { ref: false })]);
    return cut;
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, state: GateState): void {
  const message = state === 'draining' ? 'Slipway is shutting down' : 'Slipway is starting';
  response.shouldKeepAlive = false;
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': v7(),
    'Retry-After': '1',
  });
  response.end(JSON.stringify({ message }));
  request.resume();
}
