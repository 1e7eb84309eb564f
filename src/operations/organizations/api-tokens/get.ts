import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { findOwnToken, type TokenSubject } from '../../../resources/organizations/api-tokens/own-token.js';

/** Returns the API token of the request: id, scopes, description, times and its user. Needs no scope. */
export const getAccessToken = defineOperation({
  name: 'access-token.get',
  summary: 'Returns the API token of the request.',
  kind: 'query',
  scope: null,
  access: 'authenticated',
  input: z.object({}),
  subject: (context) => findOwnToken(context),
  run: async (_context, _input, subject: TokenSubject) => subject,
});
