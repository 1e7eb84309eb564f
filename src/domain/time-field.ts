import { z } from 'zod';
import { orMissing } from './input-text.js';
import { parseTime } from './time.js';

/** A time in a body: as text, or as GraphQL reads it. */
export const timeField = z.union(
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
