import { isIP } from 'node:net';
import type { Dispatcher, request as undiciRequest } from 'undici';
import type { Outbound, OutboundReply, OutboundRequest } from '../context.js';
import { bareHost, guardedLookup, isAllowedAddress } from './allowed-address.js';

const connectMs = 5_000;
/** From the first byte sent to the last byte of the answer. */
const wholeMs = 15_000;
const defaultReplyBytes = 64 * 1024;
const userAgent = 'Slipway-Webhook/1';

/**
 * Sends requests to hosts that people name: no redirects, bounded answers and times, guarded addresses, this machine
 * itself only where `allowLoopback` says so. `close` ends its connections.
 */
export function openOutbound({ allowLoopback }: { allowLoopback: boolean }): Outbound & { close(): Promise<void> } {
  let opened: Promise<Clients> | null = null;
  return {
    send: async (asked) => {
      refuseAddress(asked.url, allowLoopback);
      const { request, strict, lenient } = await (opened ??= openClients(allowLoopback));
      return send(request, asked, asked.tlsVerify === false ? lenient : strict);
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
  /** Takes any certificate. */
  lenient: Dispatcher;
}

/** The client is loaded with the first request: most servers start without one. */
async function openClients(allowLoopback: boolean): Promise<Clients> {
  const { Agent, request } = await import('undici');
  const lookup = guardedLookup(allowLoopback);
  const agentFor = (rejectUnauthorized: boolean) =>
    new Agent({ connect: { timeout: connectMs, rejectUnauthorized, lookup }, connections: 16, pipelining: 1, headersTimeout: wholeMs, bodyTimeout: wholeMs });
  return { request, strict: agentFor(true), lenient: agentFor(false) };
}

/** An address written as such is never looked up, so it is checked here. */
function refuseAddress(url: string, allowLoopback: boolean): void {
  const { hostname, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('the address is not of the web');
  const literal = bareHost(hostname);
  if (isIP(literal) && !isAllowedAddress(literal, allowLoopback)) throw new Error(`${literal} is not an address that requests may go to`);
}

async function send(request: Clients['request'], asked: OutboundRequest, dispatcher: Dispatcher): Promise<OutboundReply> {
  const { statusCode, body } = await request(asked.url, {
    method: asked.method,
    headers: { 'user-agent': userAgent, ...asked.headers },
    body: asked.body ?? null,
    dispatcher,
    signal: AbortSignal.timeout(asked.timeoutMs ?? wholeMs),
  });
  const { replyBytes = defaultReplyBytes } = asked;
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece as Buffer);
    size += (piece as Buffer).length;
    if (size >= replyBytes) break;
  }
  return { status: statusCode, body: Buffer.concat(pieces).subarray(0, replyBytes).toString('utf8') };
}
