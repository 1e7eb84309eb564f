import { z } from 'zod';
import type { OrganizationRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { findSignedIn, type SignedInSubject } from '../../../resources/organizations/sessions/own-session.js';

/**
 * Returns the organizations that API tokens of the person who is signed in name, by token, those that revoked the
 * token's access left out; nothing for a token of all organizations.
 */
export const listTokenOrganizations = defineOperation({
  name: 'access-token.list-organizations',
  summary: "Lists the organizations of the caller's API tokens.",
  kind: 'query',
  scope: null,
  access: 'authenticated',
  input: z.object({ tokenIds: z.array(z.string()).max(500) }),
  subject: (context) => findSignedIn(context),
  run: async (context, { tokenIds }, { user }: SignedInSubject): Promise<Map<string, OrganizationRow[]>> => {
    const rows = await context.db
      .selectFrom('api_token_organizations as named')
      .innerJoin('api_tokens as t', 't.id', 'named.apiTokenId')
      .innerJoin('organizations as o', 'o.id', 'named.organizationId')
      .leftJoin('api_token_revocations as r', (join) =>
        join.onRef('r.apiTokenId', '=', 't.id').onRef('r.organizationId', '=', 'o.id'),
      )
      .select('t.id as tokenId')
      .selectAll('o')
      .where('t.id', 'in', tokenIds)
      .where('t.userId', '=', user.id)
      .where('r.apiTokenId', 'is', null)
      .orderBy('o.slug')
      .execute();
    const byToken = new Map<string, OrganizationRow[]>(tokenIds.map((id) => [id, []]));
    for (const { tokenId, ...organization } of rows) byToken.get(tokenId)?.push(organization);
    return byToken;
  },
});
