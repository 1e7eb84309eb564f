import { BlockList, isIP, isIPv6 } from 'node:net';
import { text } from '../domain/input-text.js';
import { limits } from '../domain/limits/limits.js';

const isRange = (range: string) => {
  const [address = '', bits, ...more] = range.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
};

const rangesOf = (value: string) => value.split(/\s+/).filter((range) => range !== '');

/** Input of addresses and CIDR ranges with spaces between; blank, which becomes null, for every address. */
export const addressList = text(limits.descriptionLength)
  .refine((value) => rangesOf(value).every(isRange), 'must be IP addresses or CIDR ranges separated by spaces')
  .refine(
    (value) => rangesOf(value).length <= limits.allowedIpAddresses,
    `has more than ${limits.allowedIpAddresses} ranges`,
  )
  .transform((value) => rangesOf(value).join(' ') || null);

/** Whether a list allows an address: addresses and CIDR ranges separated by spaces or commas; null allows all. */
export function addressIsAllowed(allowed: string | null, address: string | null): boolean {
  const ranges = (allowed ?? '').split(/[\s,]+/).filter((range) => range !== '');
  if (ranges.length === 0) return true;
  const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
  if (isIP(plain) === 0) return false;
  const list = new BlockList();
  for (const range of ranges) add(list, range);
  return list.check(plain, family(plain));
}

const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** A malformed range allows no address. */
function add(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/');
  if (isIP(address) === 0) return;
  const most = isIPv6(address) ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  if (Number.isInteger(prefix) && prefix >= 0 && prefix <= most) list.addSubnet(address, prefix, family(address));
}
