import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { v7 } from 'uuid';
import type { Logger } from '../context.js';
import type { Gate } from './gate.js';

/** What takes over a connection to a path; resolves to false where nothing does. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<boolean>;
export type UpgradeTable = (path: string) => Upgrade | null;

/**
 * Lets connections become WebSockets where a surface takes them. Everything else that asks for an upgrade, such as
 * HTTP clients that offer h2c with every request, is answered as if it had not asked.
 */
export function acceptUpgrades(server: Server, gate: Gate, table: UpgradeTable, log: Logger): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      withoutUpgrade(server, request, socket, head);
      return;
    }
    const take = gate.state === 'ready' ? table(new URL(request.url ?? '/', 'http://localhost').pathname.replace(/\/+$/, '')) : null;
    if (!take) {
      refuse(socket, gate.state === 'ready' ? 404 : 503, gate.state === 'ready' ? 'Not Found' : 'Slipway is shutting down');
      return;
    }
    take(request, socket, head).then(
      (taken) => taken || refuse(socket, 404, 'Not Found'),
      (error: unknown) => {
        log.error({ err: error }, 'a connection could not be taken over');
        refuse(socket, 500, 'Internal Server Error');
      },
    );
  });
}

const left: ReadonlySet<string> = new Set(['upgrade', 'http2-settings']);

/** Gives the connection back to the HTTP server with the request as it came, without the wish for an upgrade. */
function withoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2);
    if (left.has(name.toLowerCase())) continue;
    lines.push(name.toLowerCase() === 'connection' ? `Connection: ${otherOptions(value)}` : `${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function otherOptions(connection: string): string {
  return connection.split(',').map((option) => option.trim()).filter((option) => !left.has(option.toLowerCase())).join(', ') || 'keep-alive';
}

function refuse(socket: Duplex, status: number, message: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ message });
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Content-Type: application/json; charset=utf-8', `Content-Length: ${Buffer.byteLength(body)}`, `X-Request-Id: ${v7()}`, 'Connection: close'];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
