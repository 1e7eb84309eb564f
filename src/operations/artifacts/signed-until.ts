import { z } from 'zod';

/** The signature of an address with the time it ends at, as they come in: text in a query or a form. */
export const signedUntil = {
  expires: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0),
  signature: z.string().max(200).catch(''),
};
