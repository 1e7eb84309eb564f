import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { filledText, orMissing, text, wholeNumber } from '../../../domain/input-text.js';

/** What all jobs of a step ask for their plan with, such as `<build id>/<step id>`. */
export const identifier = filledText(limits.testPlanIdentifierLength);

export const path = filledText(limits.testNameLength);

/** Files by their paths. */
export const files = z
  .array(z.object({ path }), { error: orMissing('must be a list') })
  .max(limits.testPlanTargets, `has more than ${limits.testPlanTargets} values`);

/** Most parallel jobs; clients send zero where it was not set. */
export const maxParallelism = wholeNumber(0, limits.testPlanNodes)
  .nullish()
  .transform((value) => value || null);

/** Seconds that the tests of a job are to take; clients send zero where that was not set. */
export const targetTime = z
  .number({ error: 'must be a number' })
  .min(0, 'must not be negative')
  .max(86_400, 'must be at most 86400')
  .nullish()
  .transform((value) => value || null);

const variable = text(limits.testPlanIdentifierLength).nullish();
const sentNumber = z.union([wholeNumber(0, 1_000_000), text(20)]).nullish();

/** Variables of the job that asks. Clients of two ages send numbers and flags as such, or as texts. */
export const clientEnv = z
  .object({
    BUILDKITE_BUILD_ID: variable,
    BUILDKITE_STEP_ID: variable,
    BUILDKITE_TEST_ENGINE_IDENTIFIER: variable,
    BUILDKITE_PARALLEL_JOB: sentNumber,
    BUILDKITE_PARALLEL_JOB_COUNT: sentNumber,
    BUILDKITE_TEST_ENGINE_SPLIT_BY_EXAMPLE: z.union([z.boolean(), text(20)]).nullish(),
  })
  .nullish()
  .transform((env) => ({
    // The first clients leave it to the build and the step.
    identifier: env?.BUILDKITE_TEST_ENGINE_IDENTIFIER || [env?.BUILDKITE_BUILD_ID, env?.BUILDKITE_STEP_ID].join('/'),
    node: numberOf(env?.BUILDKITE_PARALLEL_JOB),
    parallelism: numberOf(env?.BUILDKITE_PARALLEL_JOB_COUNT),
    splitsByExample: String(env?.BUILDKITE_TEST_ENGINE_SPLIT_BY_EXAMPLE) === 'true',
  }));

/** A whole number that is not negative; null for any other value. */
function numberOf(value: number | string | null | undefined): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : null;
}

export const optionalText = text(limits.testNameLength).nullish();
