import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { countStep, oauthSteps } from '../../../resources/organizations/oauth/oauth-brake.js';

/**
 * Counts a step of OAuth against the caller's network, or against the person who takes it. Throws `rate_limited` with
 * `retryAfter` after too many.
 */
export const countOauthStep = defineOperation({
  name: 'oauth-step.count',
  summary: 'Counts a step of a program that asks for access.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({ step: z.enum(oauthSteps), userId: z.uuid().nullable().default(null) }),
  subject: async () => ({}),
  run: async (context, { step, userId }): Promise<null> => {
    await countStep(context, step, userId);
    return null;
  },
});
