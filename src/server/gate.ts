import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 } from 'uuid';
import { boundUnreadBody } from '../http/unread-body.js';

/**
 * `leaving`: everything is served but probes; `refusing-reads`: changes are still served; `draining`: requests in
 * flight end, and no new ones begin.
 */
export type GateState = 'ready' | 'leaving' | 'refusing-reads' | 'draining';

/** The reply to every request that comes too late. */
export const shuttingDown = 'Slipway is shutting down';

const reads: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/** Paths by which proxies and supervisors decide whether to send requests here. */
const probes = /^\/(?:healthz|readyz)(?:\?|$)/;

/**
 * Handler in front of the application, for the end of a process. First probes are answered 503, and all else is served,
 * so that a proxy has time to look and to send its requests elsewhere; then reads are answered 503 too, so that a proxy
 * without health checks, which sends them again elsewhere, sends no change here any more; then every request is
 * answered 503, so that no agent sees a 404 or 401, which would end it, or its streamed pings for good.
 */
export class Gate {
  state: GateState = 'ready';
  private readonly inFlight = new Set<ServerResponse>();

  constructor(private readonly application: RequestListener) {}

  readonly listener: RequestListener = (request, response) => {
    boundUnreadBody(request, response);
    if (this.refuses(request)) {
      refuse(request, response);
      return;
    }
    // A client that goes on elsewhere now does not meet the end of the connection later.
    if (this.state !== 'ready') response.shouldKeepAlive = false;
    this.inFlight.add(response);
    response.once('close', () => this.inFlight.delete(response));
    this.application(request, response);
  };

  /** From now on probes are answered 503, and each connection ends with its next reply. */
  leave(): void {
    this.state = 'leaving';
    this.endConnections();
  }

  /** From now on reads are answered 503 too. */
  refuseReads(): void {
    this.state = 'refusing-reads';
  }

  /** From now on every request is answered 503; those in flight go on. */
  close(): void {
    this.state = 'draining';
    this.endConnections();
  }

  /**
   * Refuses new connections, and goes on serving those that are open, each for one more request. Node's own `close`
   * ends idle connections in the same moment, and a proxy may just be sending a change on one of them: it cannot send
   * that again elsewhere. A proxy that is refused a connection leaves this process alone, and what is idle stays so.
   * The kernel resets connections that it has opened and this process has not taken yet, with what was sent on them:
   * by now a proxy should have left, by a probe or by a read that was refused.
   */
  refuseConnections(server: Server): void {
    NetServer.prototype.close.call(server);
  }

  /**
   * Stops accepting, lets the requests in flight finish, then closes every connection.
   * @param patience milliseconds after which connections still busy are cut
   * @returns the number of requests that had to be cut
   */
  async drain(server: Server, patience: number): Promise<number> {
    this.close();
    // Of a server that refuses connections already, the callback tells at once that it does not run.
    const closed = new Promise<void>((resolve) => {
      server.once('close', resolve);
      server.close();
    });
    const deadline = Date.now() + patience;
    while (this.inFlight.size > 0 && Date.now() < deadline) await sleep(20);
    const cut = this.inFlight.size;
    // Keep-alive connections would hold the process for their whole idle time; upgraded ones are closed by their owner.
    server.closeAllConnections();
    await Promise.race([closed, sleep(500, undefined, { ref: false })]);
    return cut;
  }

  private refuses({ method, url = '' }: IncomingMessage): boolean {
    if (this.state === 'ready') return false;
    if (this.state === 'draining' || probes.test(url)) return true;
    return this.state === 'refusing-reads' && reads.has(method);
  }

  private endConnections(): void {
    for (const response of this.inFlight) response.shouldKeepAlive = false;
  }
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': v7(),
    'Retry-After': '1',
  });
  response.end(JSON.stringify({ message: shuttingDown }));
  request.resume();
}
