import ipaddr from 'ipaddr.js';
import pRetry, { AbortError } from 'p-retry';
import { Agent, type Dispatcher, request } from 'undici';
import { ProviderRefusal } from '../context.js';
import { guardedLookup, isAllowedAddress } from './allowed-address.js';

export interface ProviderReply {
  status: number;
  /** The reply's JSON; null where it is none. */
  body: unknown;
}

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: object;
}

export type ProviderClient = (asked: ProviderRequest) => Promise<ProviderReply>;

const connectMs = 2_000;
const replyMs = 3_000;
/** All tries together. */
const deadlineMs = 6_000;
const replyBytes = 1024 * 1024;

/**
 * Requests to source providers: bounded in time and size, followed nowhere else, tried once more where the provider
 * could not be reached or said that it is busy.
 */
export function providerClient({ allowLoopback }: { allowLoopback: boolean }): ProviderClient {
  const dispatcher = new Agent({
    connect: { timeout: connectMs, lookup: guardedLookup(allowLoopback) },
    headersTimeout: replyMs,
    bodyTimeout: replyMs,
    maxResponseSize: replyBytes,
    keepAliveTimeout: 1_000,
    connections: 10,
  });
  return async (asked) => {
    refuseAddress(asked.url, allowLoopback);
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      return await pRetry(() => once(dispatcher, asked, signal), { retries: 1, minTimeout: 200, maxTimeout: 400, signal });
    } catch (error) {
      throw error instanceof ProviderRefusal ? error : new ProviderRefusal(error instanceof Error ? error.message : 'no reply');
    }
  };
}

/** An address written as such is never looked up, so it is checked here. */
function refuseAddress(url: string, allowLoopback: boolean): void {
  const { hostname, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new ProviderRefusal('the address is not of the web');
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(bare) && !isAllowedAddress(bare, allowLoopback)) throw new ProviderRefusal(`${bare} is no address that requests may go to`);
}

async function once(dispatcher: Dispatcher, { method, url, headers, body }: ProviderRequest, signal: AbortSignal): Promise<ProviderReply> {
  const reply = await request(url, {
    method,
    dispatcher,
    signal,
    headers: { 'user-agent': 'slipway', ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await reply.body.text();
  if (reply.statusCode === 429 || reply.statusCode >= 500) throw new Error(`it answered ${reply.statusCode}`);
  if (reply.statusCode >= 300 && reply.statusCode < 400) throw new AbortError(new ProviderRefusal('it answered with another address'));
  return { status: reply.statusCode, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
