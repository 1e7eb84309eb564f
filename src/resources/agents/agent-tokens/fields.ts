import { isIP } from 'node:net';
import { z } from 'zod';
import { limits } from '../../../domain/limits.js';
import { parseTime } from '../../../domain/time.js';
import { filledText, orMissing, text } from '../../../domain/input-text.js';

const isRange = (range: string) => {
  const [address = '', bits, ...more] = range.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
};

const rangesOf = (value: string) => value.split(/\s+/).filter((range) => range !== '');

/** Addresses and CIDR ranges with spaces between; blank for every address. */
const addresses = text(limits.descriptionLength)
  .refine((value) => rangesOf(value).every(isRange), 'must be IP addresses or CIDR ranges separated by spaces')
  .refine(
    (value) => rangesOf(value).length <= limits.allowedIpAddresses,
    `has more than ${limits.allowedIpAddresses} ranges`,
  )
  .transform((value) => rangesOf(value).join(' ') || null);

/** A time as text or as GraphQL reads it. */
const time = z.union(
  [
    z.date(),
    z
      .string()
      .max(100)
      .transform((value, context) => {
        const read = parseTime(value);
        if (read) return read;
        context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time' });
        return z.NEVER;
      }),
  ],
  { error: orMissing('must be an ISO 8601 time') },
);

/** Fields of an agent token in create and update. */
export const agentTokenFields = {
  description: filledText(limits.descriptionLength),
  allowedIpAddresses: addresses.nullish(),
};
export const agentTokenExpiry = time.nullish();
