import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher, request as undiciRequest } from 'undici';
import type { Outbound, OutboundReply, OutboundRequest } from '../services/services.js';
import { addressRule, type AddressRule, bareHost, guardedLookup, refusedAddress } from './allowed-address.js';

const connectMs = 5_000;
/** Default timeout, from the first byte sent to the last byte of the answer. */
const wholeMs = 15_000;
const defaultReplyBytes = 64 * 1024;
const sliceBytes = 64 * 1024;
const userAgent = 'Slipway-Webhook/1';

/**
 * Opens the client for requests to hosts that users configure. It follows no redirects and limits time and reply size.
 * It reaches private networks and this machine only if `allow` (addresses and networks) contains them. Every connection
 * is checked, so a name that resolves differently the second time is refused too. `close` ends its connections.
 */
export function openOutbound({ allow }: { allow: readonly string[] }): Outbound & { close(): Promise<void> } {
  const mayReach = addressRule(allow);
  let opened: Promise<Clients> | null = null;
  return {
    send: async (outbound) => {
      refuseAddress(outbound.url, mayReach);
      const { request, strict, lenient } = await (opened ??= openClients(mayReach));
      return send(request, outbound, outbound.tlsVerify === false ? lenient : strict);
    },
    close: async () => {
      const clients = await opened;
      await Promise.all([clients?.strict.destroy(), clients?.lenient.destroy()]);
    },
  };
}

interface Clients {
  request: typeof undiciRequest;
  strict: Dispatcher;
  /** Accepts any certificate. */
  lenient: Dispatcher;
}

/** Loads the HTTP client with the first request, because most servers start without sending one. */
async function openClients(mayReach: AddressRule): Promise<Clients> {
  const { Agent, request } = await import('undici');
  const lookup = guardedLookup(mayReach);
  const agentFor = (rejectUnauthorized: boolean) =>
    new Agent({
      connect: { timeout: connectMs, rejectUnauthorized, lookup },
      // As many as notifications are sent to one receiver at once, so that none waits while its time runs.
      connections: 48,
      pipelining: 1,
      headersTimeout: wholeMs,
      bodyTimeout: wholeMs,
    });
  return { request, strict: agentFor(true), lenient: agentFor(false) };
}

/**
 * Checks a URL whose host is an IP address, which is never looked up. Throws for a forbidden address or another
 * protocol.
 */
function refuseAddress(url: string, mayReach: AddressRule): void {
  const { hostname, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('the address is not of the web');
  const literal = bareHost(hostname);
  if (isIP(literal) && !mayReach(literal)) throw refusedAddress(literal);
}

/** The body in the form the client expects. A stream gets an explicit length, because the client would send none. */
function bodyOf({ body }: OutboundRequest): {
  body: string | Buffer | Readable | null;
  headers?: Record<string, string>;
} {
  if (typeof body !== 'object') return { body: body ?? null };
  const length = body.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= sliceBytes) return { body: Buffer.concat(body) };
  return { body: Readable.from(slices(body)), headers: { 'content-length': String(length) } };
}

/**
 * Views of the pieces: TLS encrypts whatever it is handed before any of it leaves, so a whole body would be copied for
 * each connection.
 */
function* slices(body: readonly Buffer[]): Generator<Buffer> {
  for (const piece of body)
    for (let start = 0; start < piece.length; start += sliceBytes) yield piece.subarray(start, start + sliceBytes);
}

async function send(
  request: Clients['request'],
  outbound: OutboundRequest,
  dispatcher: Dispatcher,
): Promise<OutboundReply> {
  const sent = bodyOf(outbound);
  const { statusCode, headers, body } = await request(outbound.url, {
    method: outbound.method,
    headers: { 'user-agent': userAgent, ...sent.headers, ...outbound.headers },
    body: sent.body,
    dispatcher,
    signal: AbortSignal.timeout(outbound.timeoutMs ?? wholeMs),
  });
  const { replyBytes = defaultReplyBytes } = outbound;
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece as Buffer);
    size += (piece as Buffer).length;
    if (size >= replyBytes) break;
  }
  const { 'content-type': contentType, 'retry-after': retryAfter } = headers;
  return {
    status: statusCode,
    body: Buffer.concat(pieces).subarray(0, replyBytes).toString('utf8'),
    contentType: typeof contentType === 'string' ? contentType : null,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
      ),
    ),
    retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
  };
}
