import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import type { AccessToken } from '../../../resources/organizations/api-tokens/own-token.js';
import { tokensOfUser } from '../../../resources/organizations/api-tokens/tokens-of-user.js';
import { findSignedIn, type SignedInSubject } from '../../../resources/organizations/sessions/own-session.js';

/** Lists the API tokens of the person who is signed in, newest first, without their values. */
export const listOwnTokens = defineOperation({
  name: 'access-token.list-own',
  summary: 'Lists the API tokens of the caller.',
  kind: 'query',
  scope: null,
  access: 'authenticated',
  input: z.object({ paging: paging.default(defaultPaging) }),
  subject: (context) => findSignedIn(context),
  run: async (context, request, { user }: SignedInSubject): Promise<Page<AccessToken>> =>
    paginate(context.db, tokensOfUser(context, user.id), newestFirst<AccessToken>('t.id'), request.paging),
});
