import { lookup as resolve, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Kinds of address that a receiver or a provider can have: the internet, and networks of one's own, where its servers often are. */
const reachable: ReadonlySet<string> = new Set(['unicast', 'private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Whether requests may go to an address. Link-local addresses, where clouds tell machines their credentials, and whatever is
 * no single machine's address are refused; the machine itself only where `allowLoopback` says so.
 */
export function isAllowedAddress(address: string, allowLoopback: boolean): boolean {
  const bare = bareHost(address);
  if (!ipaddr.isValid(bare)) return false;
  const range = ipaddr.process(bare).range();
  return reachable.has(range) || (allowLoopback && range === 'loopback');
}

/** The host of a URL, an IPv6 address without its brackets. */
export const bareHost = (host: string) => host.replace(/^\[|\]$/g, '');

/** Whether a host of the configuration is this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}

/** Resolves names for a connection and refuses those of forbidden addresses: what was checked is what is connected to. */
export function guardedLookup(allowLoopback: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address, allowLoopback));
      const [first] = allowed;
      if (!first) callback(new Error(`${hostname} is at no address that requests may go to`), '', 0);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
