import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { ConfigError } from '../services/config-error.js';
import type { Logger } from '../services/services.js';

/** Files in PEM: the certificate with those that vouch for it, and its key. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

interface TlsPair {
  cert: Buffer;
  key: Buffer;
  /** When the certificate ends. */
  validTo: Date;
}

/** How often the files are looked at, in milliseconds. */
const lookMs = 5_000;
/** How long a connection may take to say what it speaks, and to agree on a key. */
const handshakeMs = 10_000;

/** Reads certificate and key; throws {@link ConfigError} with one sentence about what is wrong with them. */
export function readTlsPair(files: TlsFiles): TlsPair {
  const cert = readNamed('TLS_CERT', files.certificate, 'the certificate');
  const key = readNamed('TLS_KEY', files.key, 'its key');
  const certificate = parsed(() => new X509Certificate(cert), `TLS_CERT: ${files.certificate} holds no certificate`);
  const privateKey = parsed(
    () => createPrivateKey(key),
    `TLS_KEY: ${files.key} holds no key that can be read without a passphrase`,
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigError(
      `TLS_KEY: the key in ${files.key} is not that of the first certificate in ${files.certificate}: name the pair ` +
        'that was issued together, the own certificate first',
    );
  return { cert, key, validTo: new Date(certificate.validTo) };
}

function readNamed(name: string, path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${name}: ${path} cannot be read (${code}): name the file with ${what} in PEM`);
  }
}

function parsed<T>(parse: () => T, problem: string): T {
  try {
    return parse();
  } catch {
    throw new ConfigError(`${problem}: it must be PEM, as -----BEGIN …-----`);
  }
}

/**
 * An HTTPS server, not listening yet, that sends what comes to it in plain HTTP to `root()`, the address of BASE_URL.
 * Connections are made known as `secureConnection`.
 */
export function createSecureServer(pair: TlsPair, listener: RequestListener, root: () => string): HttpsServer {
  const options = { keepAlive: true, cert: pair.cert, key: pair.key, handshakeTimeout: handshakeMs };
  const server = createTlsServer(options, (request, response) => {
    if (isAloneOnHost(root())) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    listener(request, response);
  });
  const plain = createServer(sendToHttps(root));
  // One port for both, and the server goes on being the one that listens: its own listeners get what begins a
  // handshake.
  const beginHandshake = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const end = () => socket.destroy();
    // What speaks plain HTTP has one request, and no more time than that.
    const timer = setTimeout(end, handshakeMs).unref();
    socket.once('error', end).once('close', () => clearTimeout(timer));
    socket.once('data', (first: Buffer) => {
      socket.pause().unshift(first);
      if (first[0] === handshakeRecord) {
        clearTimeout(timer);
        socket.off('error', end);
        for (const begin of beginHandshake) begin.call(server, socket);
      } else {
        plain.emit('connection', socket);
        socket.resume();
      }
    });
  });
  return server;
}

/**
 * Whether browsers may be told to use https for the whole host: with a port of its own it shares the host with
 * others.
 */
const isAloneOnHost = (root: string) => URL.canParse(root) && new URL(root).port === '';

/** First byte of a connection that speaks TLS. */
const handshakeRecord = 0x16;

/**
 * Answers reads with a redirect; what changes something was sent in the clear, and is refused so that somebody
 * notices.
 */
function sendToHttps(root: () => string): RequestListener {
  return (request, response) => {
    const path = request.url?.startsWith('/') ? request.url : '/';
    const location = root() + path;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    response.shouldKeepAlive = false;
    response.writeHead(isRead ? 308 : 426, {
      'Content-Type': 'application/json; charset=utf-8',
      ...(isRead ? { Location: location } : { Upgrade: 'TLS/1.2, HTTP/1.1' }),
    });
    response.end(JSON.stringify({ message: `This port speaks https: send the request to ${root()}` }));
    request.resume();
  };
}

/**
 * Has a server take new certificates as soon as both files fit each other; a pair that does not is said once and the
 * one before stays. Open connections keep theirs.
 * @returns the function that ends it
 */
export function reloadCertificates(server: HttpsServer, files: TlsFiles, log: Logger, everyMs = lookMs): () => void {
  let known = stateOf(files);
  const look = () => {
    const state = stateOf(files);
    if (state === known) return;
    known = state;
    try {
      const { cert, key, validTo } = readTlsPair(files);
      server.setSecureContext({ cert, key });
      log.info({ valid_to: validTo }, 'the TLS certificate was reloaded');
      warnOfEnd(validTo, log);
    } catch (error) {
      log.warn({ err: error }, 'the new TLS certificate cannot be used, and the former one stays');
    }
  };
  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}

/** Says in the log that a certificate has ended, or ends within a week. */
export function warnOfEnd(validTo: Date, log: Logger): void {
  const days = (validTo.getTime() - Date.now()) / 86_400_000;
  if (days < 7) log.warn({ valid_to: validTo }, `the TLS certificate ${days < 0 ? 'has ended' : 'ends within a week'}`);
}

/** What changes when a file is written or replaced, also behind a symbolic link. */
function stateOf({ certificate, key }: TlsFiles): string {
  return [certificate, key]
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : 'none';
    })
    .join(' ');
}
