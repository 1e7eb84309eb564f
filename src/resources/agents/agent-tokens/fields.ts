import { z } from 'zod';
import { addressList } from '../../../auth/address-list.js';
import { limits } from '../../../domain/limits/limits.js';
import { parseTime } from '../../../domain/time.js';
import { filledText, orMissing } from '../../../domain/input-text.js';

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
  allowedIpAddresses: addressList.nullish(),
};
export const agentTokenExpiry = time.nullish();
