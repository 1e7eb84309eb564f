import { z } from 'zod';

/** Signature of a URL and its expiry, as text from a query or a form. */
export const signedUntil = {
  expires: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0),
  signature: z.string().max(200).catch(''),
};
