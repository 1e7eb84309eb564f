import { lookup as resolve, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Whether requests may reach an address in the notation of URLs; false for text that is not an address. */
export type AddressRule = (address: string) => boolean;

/** Metadata services of clouds in a public range: they return credentials of the machine. */
const metadataServices: ReadonlySet<string> = new Set(['168.63.129.16']);

/** Removes the brackets around an IPv6 address in the host of a URL. */
export const bareHost = (host: string) => host.replace(/^\[|\]$/g, '');

/**
 * Returns the rule for outbound requests: public internet addresses, and those in `allow`, a list of addresses and
 * networks (`10.0.0.0/8`, `fd00::/8`, `192.0.2.7`). It refuses this machine, private and link-local networks, in which
 * clouds serve machine credentials, and IPv6 addresses that contain such an IPv4 address.
 */
export function addressRule(allow: readonly string[]): AddressRule {
  const allowed = allow.map(parseNetwork);
  return (text) => {
    const address = parseAddress(text);
    if (!address) return false;
    const inner = translated(address);
    return (
      [address, ...(inner ? [inner] : [])].some((each) => allowed.some((network) => contains(network, each))) ||
      isPublic(inner ?? address)
    );
  };
}

/** Parses an address; null for other text, including `127.1` and `2130706433`, which systems interpret differently. */
function parseAddress(text: string): Address | null {
  const bare = bareHost(text).replace(/%.*$/, '');
  if (!bare.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(bare) ? ipaddr.IPv4.parse(bare) : null;
  if (!ipaddr.IPv6.isValid(bare)) return null;
  // The library reads ::127.0.0.1 as ::ffff:127.0.0.1; URL writes both in groups of 16 bits, which differ.
  return ipaddr.process(bareHost(new URL(`http://[${bare}]`).hostname));
}

function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function contains([network, bits]: Network, address: Address): boolean {
  if (network instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(network, bits);
  return address instanceof ipaddr.IPv6 && address.match(network, bits);
}

const nat64 = ipaddr.parseCIDR('64:ff9b::/96');
/** Obsolete IPv6 tunnels for IPv4 (IPv4-compatible, 6to4, Teredo): their destination depends on the machine. */
const tunnels = ['::/96', '2002::/16', '2001::/32'].map((network) => ipaddr.parseCIDR(network));

/** Returns the IPv4 address inside a NAT64 address (RFC 6052); null for any other address. */
function translated(address: Address): ipaddr.IPv4 | null {
  return contains(nat64, address) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : null;
}

function isPublic(address: Address): boolean {
  if (tunnels.some((network) => contains(network, address)) || isIsatap(address)) return false;
  return address.range() === 'unicast' && !metadataServices.has(address.toString());
}

/** Whether the interface identifier contains an IPv4 address (ISATAP, RFC 5214). */
function isIsatap(address: Address): boolean {
  if (address.kind() !== 'ipv6') return false;
  const bytes = address.toByteArray();
  return ((bytes[8] ?? 0) & 0xfc) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

/** Returns the error of a refused address. The user who configured the receiver reads it, so it names only the host. */
export function refusedAddress(host: string): Error {
  return new Error(
    `${host} was refused: it is on this machine or in a private network, which requests may reach only where ` +
      `OUTBOUND_ALLOW names it`,
  );
}

/**
 * Returns a lookup that resolves names to allowed addresses only. The connection uses the addresses that were checked.
 */
export function guardedLookup(mayReach: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      const allowed = addresses.filter(({ address }) => mayReach(address));
      const [first] = allowed;
      if (!first) callback(refusedAddress(hostname), '', 0);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
