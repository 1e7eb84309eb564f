import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { v7 } from 'uuid';

/**
 * Writes a whole reply to a connection without a `ServerResponse` (a broken request, an upgrade) and ends the
 * connection: JSON with a message and an `X-Request-Id`, like other replies. `headers` are added.
 */
export function endWithReply(
  socket: Duplex,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  // Later errors of the connection are ignored: it is closed.
  socket.on('error', () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${v7()}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  closeAfterReply(socket);
}

const lingerMs = 5_000;

/** A client that never closes its side must not hold the connection open. */
function closeAfterReply(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
