import { sql } from 'kysely';
import { asSystem } from '../../core/system-transaction.js';
import type { Services } from '../../services/services.js';

const tokensOfARound = 500;

interface Revoked {
  organizationId: string;
  apiTokenId: string;
  userId: string;
}

/**
 * Takes the access to an organization from API tokens that were not used for as many days as the organization allows,
 * or never since they were made. Returns the number of tokens, at most {@link tokensOfARound}.
 */
export async function revokeInactiveTokens(services: Services): Promise<number> {
  return asSystem(services, 'inactive-tokens', async (context) => {
    const { rows } = await sql<Revoked>`
      insert into api_token_revocations (api_token_id, organization_id, created_at)
      select t.id, o.id, ${context.now}
      from organizations o
      join organization_members m on m.organization_id = o.id
      join api_tokens t on t.user_id = m.user_id and t.revoked_at is null
      where o.revoke_inactive_tokens_after_days is not null
        and coalesce(t.last_used_at, t.created_at) < ${context.now}::timestamptz - make_interval(days =>
          o.revoke_inactive_tokens_after_days)
        and (t.all_organizations or exists (select 1 from api_token_organizations a where a.api_token_id = t.id
          and a.organization_id = o.id))
        and not exists (select 1 from api_token_revocations r where r.api_token_id = t.id and r.organization_id = o.id)
      limit ${tokensOfARound}
      on conflict do nothing
      returning organization_id, api_token_id, (select user_id from api_tokens where id = api_token_id) as
        user_id`.execute(context.db);
    for (const { organizationId, apiTokenId, userId } of rows)
      context.record({
        organizationId,
        subject: 'organization',
        subjectId: organizationId,
        type: 'access-token.revoke-access',
        data: { access_token_id: apiTokenId, user_id: userId, reason: 'inactive' },
      });
    return rows.length;
  });
}
