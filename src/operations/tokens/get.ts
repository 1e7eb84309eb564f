import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { findOwnToken, type TokenSubject } from './own-token.js';

/** The API token of the request: id, scopes, description, times, and its user. Any valid token may ask. */
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
