import { BlockList, isIP, isIPv6 } from 'node:net';
import type { RegistrationActor } from '../../auth/actor.js';
import type { Context } from '../../context.js';
import { Problem } from '../../domain/problem.js';

/** Throws `forbidden` for a request from an address that its registration token does not allow. */
export async function requireAllowedAddress(context: Context, token: RegistrationActor): Promise<void> {
  const row = await context.load.agentToken.load(token.agentTokenId);
  if (!addressIsAllowed(row?.allowedIpAddresses ?? null, context.request.ipAddress ?? null)) {
    throw new Problem('forbidden', 'The agent token does not allow agents from this address');
  }
}

/** Whether a token allows an address: addresses and CIDR ranges separated by spaces or commas; null allows all. */
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
