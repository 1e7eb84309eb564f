import { z } from 'zod';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { defineOperation } from '../../../core/operation.js';
import { oidcKeys } from '../../../resources/installation/oidc-keys/oidc-keys.js';

/** GET jwks: the public keys of the identity tokens of jobs, for its receivers. */
export const listOidcKeys = defineOperation({
  name: 'oidc-key.list',
  summary: 'Returns the public keys of identity tokens.',
  kind: 'query',
  scope: null,
  access: 'anyone',
  input: z.object({}),
  subject: async () => ({ everywhere: true as const }),
  run: async (context): Promise<{ keys: JsonObject[] }> => ({
    keys: (await oidcKeys(context.db)).map(({ publicJwk }) => publicJwk),
  }),
});
