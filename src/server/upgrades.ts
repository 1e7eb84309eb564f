import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Logger } from '../services/services.js';
import { endWithReply } from '../http/raw-reply.js';
import { type Gate, shuttingDown } from './gate.js';

/** Takes over a connection to a path; resolves to false if it did not. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<boolean>;
export type UpgradeTable = (path: string, request: IncomingMessage) => Upgrade | null;

/**
 * Hands WebSocket handshakes to the surface of their path. Any other upgrade request, such as the h2c offer that some
 * HTTP clients send with every request, is answered as an ordinary request.
 */
export function acceptUpgrades(server: Server, gate: Gate, table: UpgradeTable, log: Logger): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    handOver(request, socket, head).catch((error: unknown) => {
      log.error({ err: error }, 'a connection could not be upgraded');
      endWithReply(socket, 500, 'Internal Server Error');
    });
  });

  async function handOver(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return withoutUpgrade(server, request, socket, head);
    if (gate.state === 'draining') return endWithReply(socket, 503, shuttingDown, { 'Retry-After': '1' });
    const isTaken = await table(pathOf(request.url), request)?.(request, socket, head);
    if (!isTaken) endWithReply(socket, 404, 'Not Found');
  }
}

/** The path of a request line. Not parsed as a URL: it need not be one (`//`, `http://[`). */
function pathOf(target = '/'): string {
  return (target.split('?', 1)[0] ?? '').replace(/\/+$/, '');
}

const left: ReadonlySet<string> = new Set(['upgrade', 'http2-settings']);

/** Returns the connection to the HTTP server with the same request, without its upgrade headers. */
function withoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2);
    if (left.has(name.toLowerCase())) continue;
    lines.push(name.toLowerCase() === 'connection' ? `Connection: ${otherOptions(value)}` : `${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit((socket as Partial<TLSSocket>).encrypted ? 'secureConnection' : 'connection', socket);
}

function otherOptions(connection: string): string {
  return (
    connection
      .split(',')
      .map((option) => option.trim())
      .filter((option) => !left.has(option.toLowerCase()))
      .join(', ') || 'keep-alive'
  );
}
