import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { scopes } from '../../../domain/organizations/scopes.js';
import { Problem } from '../../../domain/problem.js';
import type { NewRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';

/** What a person grants a program. */
export const answer = {
  scopes: z.array(z.enum(scopes)).min(1, 'must name at least one scope').max(scopes.length),
  organizations: z
    .array(z.uuid())
    .min(1, 'must name at least one organization')
    .max(limits.apiTokenOrganizations, `must be at most ${limits.apiTokenOrganizations} organizations`),
};

/** Stores what a program is granted, or asks for. */
export function insertGrant(
  context: Context,
  values: Omit<NewRow<'oauth_grants'>, 'id' | 'createdAt'>,
): Promise<{ id: string }> {
  const row = { ...values, id: context.newId(), createdAt: context.now };
  return context.db.insertInto('oauth_grants').values(row).returning('id').executeTakeFirstOrThrow();
}

/** Throws `rate_limited` for somebody who has answered as often as may be within the time that grants are kept. */
export async function refuseManyGrants({ db, now }: Context, userId: string): Promise<void> {
  const since = new Date(now.getTime() - limits.oauthDeviceMinutes * 60_000);
  const { count } = await db
    .selectFrom('oauth_grants')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('userId', '=', userId)
    .where('expiresAt', '>', since)
    .executeTakeFirstOrThrow();
  if (Number(count) < limits.oauthGrantsPerUser) return;
  const retryAfter = limits.oauthDeviceMinutes * 60;
  throw new Problem('rate_limited', 'You have let many programs in. Please try again in 10 minutes.', { retryAfter });
}
