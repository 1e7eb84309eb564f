import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';
import type { Outbound, OutboundReply, OutboundRequest } from '../context.js';

const connectMs = 5_000;
/** From the first byte sent to the last byte of the answer. */
const wholeMs = 15_000;
const defaultReplyBytes = 64 * 1024;
const userAgent = 'Slipway-Webhook/1';

/**
 * Addresses that no receiver has, but that a URL can name to make us talk to our own host's metadata service. Private
 * networks are allowed: the receivers of a self-hosted installation live there.
 */
const refusedRanges: ReadonlySet<string> = new Set(['linkLocal', 'multicast', 'broadcast', 'unspecified', 'reserved']);

/** Whether an IP address is one that requests may go to. */
export function mayReach(address: string): boolean {
  return ipaddr.isValid(address) && !refusedRanges.has(ipaddr.process(address).range());
}

type Answer = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Resolves a name and refuses addresses that may not be reached: checked on what is connected to, so no second answer can differ. */
function guardedLookup(host: string, options: LookupOptions, answer: Answer): void {
  systemLookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return answer(error, []);
    const reachable = addresses.filter(({ address }) => mayReach(address));
    const [first] = reachable;
    if (!first) return answer(new Error(`${host} has no address that requests may go to`), []);
    if (options.all) answer(null, reachable);
    else answer(null, first.address, first.family);
  });
}

/** Sends requests to hosts that people name: no redirects, bounded answers and times, guarded addresses. `close` ends its connections. */
export function openOutbound(): Outbound & { close(): Promise<void> } {
  const agentFor = (rejectUnauthorized: boolean) =>
    new Agent({ connect: { timeout: connectMs, rejectUnauthorized, lookup: guardedLookup as never }, connections: 16, pipelining: 1, headersTimeout: wholeMs, bodyTimeout: wholeMs });
  const strict = agentFor(true);
  const lenient = agentFor(false);
  return {
    send: (asked) => send(asked, asked.tlsVerify === false ? lenient : strict),
    close: async () => {
      await Promise.all([strict.destroy(), lenient.destroy()]);
    },
  };
}

async function send(asked: OutboundRequest, dispatcher: Agent): Promise<OutboundReply> {
  const { hostname } = new URL(asked.url);
  // A literal address is never looked up.
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) && !mayReach(literal)) throw new Error(`${literal} is not an address that requests may go to`);
  const { statusCode, body } = await request(asked.url, {
    method: asked.method,
    headers: { 'user-agent': userAgent, ...asked.headers },
    body: asked.body ?? null,
    dispatcher,
    signal: AbortSignal.timeout(wholeMs),
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
