import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { filledText, orMissing, text } from '../../../domain/input-text.js';

/** What all jobs of a step ask for their plan with, such as `<build id>/<step id>`. */
export const identifier = filledText(limits.testPlanIdentifierLength);

export const path = filledText(limits.testNameLength);

/** Files by their paths. */
export const files = z
  .array(z.object({ path }), { error: orMissing('must be a list') })
  .max(limits.testPlanTargets, `has more than ${limits.testPlanTargets} values`);

/** Numbers of clients that are zero where they were not set. */
export const unlessZero = <T extends z.ZodType<number>>(schema: T) =>
  z
    .union([z.literal(0).transform(() => null), schema])
    .nullish()
    .transform((value) => value ?? null);

/** A time in seconds that the tests of a node are to take. */
export const targetTime = unlessZero(
  z.number({ error: 'must be a number' }).min(1, 'must be at least 1').max(86_400, 'must be at most 86400'),
);

export const optionalText = text(limits.testNameLength).nullish();
