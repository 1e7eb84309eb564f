import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import proxyAddress from 'proxy-addr';

/** Whether the proxy at an address is believed; `hop` counts proxies from the nearest, 0. */
export type ProxyTrust = (address: string, hop: number) => boolean;

/** Stands for the address of the other side of a unix socket, which is a proxy on this machine that may open it. */
export const unixPeer = 'unix';

const trustNobody: ProxyTrust = (address) => address === unixPeer;

/** The trust in some networks (CIDR) and addresses. Throws a `TypeError` for anything else. */
export function trustProxies(networks: readonly string[]): ProxyTrust {
  if (networks.length === 0) return trustNobody;
  const isOfThem = proxyAddress.compile([...networks]);
  return (address, hop) => address === unixPeer || isOfThem(address, hop);
}

/**
 * Returns the caller's address: the address of the socket or, behind trusted proxies, the address in `X-Forwarded-For`.
 * IPv4-mapped IPv6 addresses become IPv4. Null if a trusted proxy names no address, so that no allow-list matches.
 */
export function clientAddress(request: IncomingMessage, trust: ProxyTrust = trustNobody): string | null {
  const { remoteAddress } = request.socket;
  if (remoteAddress === undefined) return null;
  const address = (trust === trustNobody && remoteAddress !== unixPeer ? remoteAddress : proxyAddress(request, trust))
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? null : address;
}

/** Where a request came from, as it is kept with what it did: the caller's address, and the program by its own name. */
export const originOf = (request: IncomingMessage, trust?: ProxyTrust) => ({
  ipAddress: clientAddress(request, trust),
  userAgent: request.headers['user-agent'] ?? null,
});

/** Whether a request came over HTTPS, to this process or to a trusted proxy. */
export function isSecure(request: IncomingMessage, trust: ProxyTrust = trustNobody): boolean {
  if ((request.socket as Partial<TLSSocket>).encrypted) return true;
  const forwarded = request.headers['x-forwarded-proto'];
  if (typeof forwarded !== 'string' || !trust(request.socket.remoteAddress ?? '', 0)) return false;
  return forwarded.split(',', 1)[0]?.trim() === 'https';
}
