import { z } from 'zod';
import type { OrganizationRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { findSignedIn, type SignedInSubject } from '../../../resources/organizations/sessions/own-session.js';

/**
 * Returns the organizations that an API token of the person who is signed in names, those that revoked the token's
 * access left out; nothing for a token of all organizations.
 */
export const listTokenOrganizations = defineOperation({
  name: 'access-token.list-organizations',
  summary: "Lists the organizations of one of the caller's API tokens.",
  kind: 'query',
  scope: null,
  access: 'authenticated',
  input: z.object({ token: z.object({ id: z.uuid() }) }),
  subject: (context) => findSignedIn(context),
  run: async (context, { token }, { user }: SignedInSubject): Promise<OrganizationRow[]> =>
    context.db
      .selectFrom('api_token_organizations as named')
      .innerJoin('api_tokens as t', 't.id', 'named.apiTokenId')
      .innerJoin('organizations as o', 'o.id', 'named.organizationId')
      .leftJoin('api_token_revocations as r', (join) =>
        join.onRef('r.apiTokenId', '=', 't.id').onRef('r.organizationId', '=', 'o.id'),
      )
      .selectAll('o')
      .where('t.id', '=', token.id)
      .where('t.userId', '=', user.id)
      .where('r.apiTokenId', 'is', null)
      .orderBy('o.slug')
      .execute(),
});
