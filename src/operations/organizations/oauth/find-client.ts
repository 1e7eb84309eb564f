import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import type { OauthClient } from '../../../domain/organizations/oauth/clients.js';
import { findClient } from '../../../resources/organizations/oauth/client.js';

/** Returns the program with a `client_id`; null for one that is not known, or not any more. */
export const findOauthClient = defineOperation({
  name: 'oauth-client.find',
  summary: 'Finds a program that asks people for access.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({ id: z.string().max(300) }),
  subject: async () => ({}),
  run: async (context, { id }): Promise<{ client: OauthClient | null }> => ({ client: await findClient(context, id) }),
});
