import { createServer, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { AddressError } from './address-error.js';
import type { Config } from './config.js';
import { createSecureServer, type readTlsPair } from './tls.js';
import { nameUnixPeers, openToGroup, removeLeftSocket, socketPathOf } from './unix-socket.js';
import { holdBodyBack } from '../http/expect-continue.js';
import { boundPipelined } from '../http/pipelined-requests.js';
import { endWithReply } from '../http/raw-reply.js';
import { slowReaders } from '../http/slow-readers.js';

/** Agents' HTTP clients keep connections for 90 s: closing earlier would race with their next request. */
const keepAliveMs = 95_000;

/** Where {@link listen} listens. */
type ListeningPlace = Pick<Config, 'port' | 'host'> & {
  /** Descriptor of a socket that a service manager listens on already; it goes before host and port. */
  socket?: number | null | undefined;
};

/** Certificate and key of a server that speaks https, and the address to which it sends plain HTTP. */
export interface Tls {
  pair: ReturnType<typeof readTlsPair>;
  root: () => string;
}

/** An HTTP server with its timeouts, not listening yet. Clients that stop reading are disconnected. */
export function createHttpServer(listener: RequestListener, tls: Tls | null = null): Server {
  const bounded = boundPipelined(listener);
  // The two have the members in common that are used here and elsewhere.
  const server = tls
    ? (createSecureServer(tls.pair, bounded, tls.root) as unknown as Server)
    : createServer({ keepAlive: true }, bounded);
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = keepAliveMs + 5_000;
  // Long enough for the largest upload over a slow line; each surface bounds its bodies.
  server.requestTimeout = 15 * 60_000;
  slowReaders.watch(server, tls ? 'secureConnection' : 'connection');
  nameUnixPeers(server);
  server.on('checkContinue', holdBodyBack(bounded));
  server.on('clientError', answerBrokenRequest);
  return server;
}

const brokenRequests: Record<string, readonly [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
};

/**
 * Answers data that is not an HTTP request, which reaches no surface, like other errors: JSON with a message and an
 * id.
 */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = brokenRequests[error.code ?? ''] ?? [400, 'The request is not valid HTTP'];
  endWithReply(socket, status, message);
}

/**
 * Listens where the configuration says and returns the URL of that place and its port, null for a socket of the unix
 * family; throws {@link AddressError} where that is not possible.
 */
export async function listen(server: Server, place: ListeningPlace): Promise<{ port: number | null; url: string }> {
  const { port, host, socket } = place;
  const path = socketPathOf(host);
  await new Promise<void>((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) => reject(addressError(error, port, host));
    server.once('error', refused);
    server.listen(listenOptions(place), () => {
      server.off('error', refused);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') {
    if (path !== null && typeof socket !== 'number') openToGroup(path);
    return { port: null, url: `unix:${address ?? path}` };
  }
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  return { port: address.port, url: `${scheme}://${hostForUrl(place, address.address)}:${address.port}` };
}

function listenOptions({ port, host, socket }: ListeningPlace) {
  if (typeof socket === 'number') return { fd: socket };
  const path = socketPathOf(host);
  return path === null ? { port, host } : { path };
}

/** The host as the configuration writes it; for a socket that was passed, the address that it has. */
function hostForUrl({ host, socket }: ListeningPlace, address: string): string {
  const reachable = reachableHost(typeof socket === 'number' ? address : host);
  return reachable.includes(':') ? `[${reachable}]` : reachable;
}

/** Milliseconds after which a port that does not answer counts as free. */
const probeMs = 1_000;

/**
 * Rejects with {@link AddressError} if something answers where the configuration says to listen, and removes a socket
 * file on which nothing does. For the time before a server listens, so that a mistake is found before the database is
 * opened; what counts is {@link listen}.
 */
export async function refuseTakenPlace({ port, host, socket }: ListeningPlace): Promise<void> {
  if (typeof socket === 'number') return;
  const path = socketPathOf(host);
  if (path !== null) return removeLeftSocket(path);
  if (port === 0) return;
  const probe = connect({ port, host: reachableHost(host) });
  const isTaken = await new Promise<boolean>((resolve) => {
    probe
      .setTimeout(probeMs, () => resolve(false))
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false));
  });
  probe.destroy();
  if (isTaken) throw takenPort(port, host);
}

/** A host that a client on this machine can use: the wildcard addresses are none. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function takenPort(port: number, host: string): AddressError {
  return new AddressError(
    `port ${port} on ${host} is taken by another process: stop it, or set PORT to another number (PORT=0 takes ` +
      `any free one)`,
  );
}

function addressError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const path = socketPathOf(host);
  if (path !== null)
    return new AddressError(
      `the socket ${path} cannot be made (${error.code}): set HOST to unix: and a path of at most 100 ` +
        'characters, in a folder that this user may write to',
    );
  switch (error.code) {
    case 'EADDRINUSE':
      return takenPort(port, host);
    case 'EACCES':
      return new AddressError(
        `port ${port} on ${host} may not be opened by this user: set PORT to a number above 1023`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new AddressError(`${host} is not an address of this machine: set HOST to one, or to 0.0.0.0 for all`);
    default:
      return error;
  }
}

/** A port of this host that nothing listens on. */
export async function freePort(host: string): Promise<number> {
  const server = createServer();
  const { port } = await listen(server, { port: 0, host });
  await new Promise((resolve) => server.close(resolve));
  return port ?? 0;
}

/** The root of URLs once the port is known: `BASE_URL` where it was set, else host and real port. */
export function resolveBaseUrl(config: Pick<Config, 'baseUrl' | 'port'>, port: number | null): string {
  if (config.port !== 0 || port === null) return config.baseUrl;
  const url = new URL(config.baseUrl);
  if (url.port !== '0') return config.baseUrl;
  url.port = String(port);
  return url.toString().replace(/\/+$/, '');
}
