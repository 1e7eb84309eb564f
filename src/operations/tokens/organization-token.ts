import type { Context } from '../../context.js';
import { idFromEither } from '../../domain/node-id.js';
import type { OrganizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import type { OrganizationSubject } from '../subject.js';
import type { AccessToken } from './own-token.js';

export interface OrganizationTokenSubject extends OrganizationSubject {
  token: AccessToken;
}

/**
 * API tokens of members, as `t`, that work in an organization now: live, good for it, and not taken back by it. What
 * is kept of their values is never read.
 */
export function tokensOf({ db, now }: Context, organizationId: string) {
  return db
    .selectFrom('api_tokens as t')
    .innerJoin('organization_members as m', 'm.userId', 't.userId')
    .select(['t.id', 't.userId', 't.description', 't.scopes', 't.allOrganizations', 't.expiresAt', 't.revokedAt', 't.createdAt'])
    .where('m.organizationId', '=', organizationId)
    .where('t.revokedAt', 'is', null)
    .where((eb) => eb.or([eb('t.expiresAt', 'is', null), eb('t.expiresAt', '>', now)]))
    .where((eb) => {
      const listed = eb.exists(eb.selectFrom('api_token_organizations as o').select('o.apiTokenId').whereRef('o.apiTokenId', '=', 't.id').where('o.organizationId', '=', organizationId));
      const takenBack = eb.exists(eb.selectFrom('api_token_revocations as r').select('r.apiTokenId').whereRef('r.apiTokenId', '=', 't.id').where('r.organizationId', '=', organizationId));
      return eb.and([eb.or([eb('t.allOrganizations', '=', true), listed]), eb.not(takenBack)]);
    });
}

/** The token a caller names by uuid or node id, if it works in the organization; with the token's row locked. */
export async function lockOrganizationToken(context: Context, { organization, id }: { organization: OrganizationAddress; id: string }): Promise<OrganizationTokenSubject | null> {
  const found = await findOrganization(context, organization);
  const tokenId = idFromEither(id, ['APIAccessToken']);
  if (!found || tokenId === null) return null;
  // First the lock, then the look: of two who take the same access back, the second finds it gone.
  await context.db.selectFrom('api_tokens').select('id').where('id', '=', tokenId).forUpdate().execute();
  const token = await tokensOf(context, found.organization.id).where('t.id', '=', tokenId).executeTakeFirst();
  return token ? { ...found, token } : null;
}
