import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { OrganizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import type { AccessToken } from './own-token.js';

export interface OrganizationTokenSubject extends OrganizationSubject {
  token: AccessToken;
}

/**
 * Query for the members' API tokens, as `t`, that work in an organization now: live, valid for it, and not revoked by
 * it. Without their hashes.
 */
export function tokensOf({ db, now }: Context, organizationId: string) {
  return db
    .selectFrom('api_tokens as t')
    .innerJoin('organization_members as m', 'm.userId', 't.userId')
    .select([
      't.id',
      't.userId',
      't.description',
      't.scopes',
      't.allOrganizations',
      't.expiresAt',
      't.revokedAt',
      't.lastUsedAt',
      't.lastUsedIpAddress',
      't.createdAt',
    ])
    .where('m.organizationId', '=', organizationId)
    .where('t.revokedAt', 'is', null)
    .where((eb) => eb.or([eb('t.expiresAt', 'is', null), eb('t.expiresAt', '>', now)]))
    .where((eb) => {
      const listed = eb.exists(
        eb
          .selectFrom('api_token_organizations as o')
          .select('o.apiTokenId')
          .whereRef('o.apiTokenId', '=', 't.id')
          .where('o.organizationId', '=', organizationId),
      );
      const takenBack = eb.exists(
        eb
          .selectFrom('api_token_revocations as r')
          .select('r.apiTokenId')
          .whereRef('r.apiTokenId', '=', 't.id')
          .where('r.organizationId', '=', organizationId),
      );
      return eb.and([eb.or([eb('t.allOrganizations', '=', true), listed]), eb.not(takenBack)]);
    });
}

/** Finds a token that works in the organization, by uuid or node id, and locks its row. */
export async function lockOrganizationToken(
  context: Context,
  { organization, id }: { organization: OrganizationAddress; id: string },
): Promise<OrganizationTokenSubject | null> {
  const parent = await findOrganization(context, organization);
  const tokenId = idFromEither(id, ['APIAccessToken']);
  if (!parent || tokenId === null) return null;
  // The lock comes before the read, so that the second of two concurrent revocations finds the access revoked.
  await context.db.selectFrom('api_tokens').select('id').where('id', '=', tokenId).forUpdate().execute();
  const token = await tokensOf(context, parent.organization.id).where('t.id', '=', tokenId).executeTakeFirst();
  return token ? { ...parent, token } : null;
}
