import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { forbidden } from '../../../domain/problem.js';
import type { UserRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { accountsWithEmail, emailAddress, findAccount } from '../../../resources/organizations/users/account.js';
import { joinByInvitation, pendingInvitations } from '../../../resources/organizations/invitations/join.js';
import { joinDefaultTeams } from '../../../resources/organizations/teams/join-default-teams.js';

const input = z.object({
  email: emailAddress.nullable(),
  emailVerified: z.boolean(),
  name: z.string().nullable(),
});

/**
 * Returns the user whom a single sign-on provider vouches for, by the verified email address. Someone without an
 * account gets one where the domain of the address may join an organization or the address is invited to one, and joins
 * every such organization; somebody who was
 * removed from an organization still has an account, and does not come back this way. Throws `forbidden`, with the
 * reason for the person to read, for everybody else.
 */
export const admitUser = defineOperation({
  name: 'sign-in.admit',
  summary: 'Finds or creates the user whom single sign-on vouches for.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input,
  subject: async () => ({}),
  run: async (context, { email, emailVerified, name }): Promise<{ user: UserRow; joined: string[] }> => {
    if (email === null) throw forbidden('Your single sign-on provider did not say which email address you have.');
    if (!emailVerified)
      throw forbidden(`Your single sign-on provider has not verified that ${email} is your email address.`);
    const known = await findAccount(context, email);
    if (known) return { user: known, joined: [] };
    if ((await accountsWithEmail(context, email)).length > 0)
      throw forbidden(
        `Several accounts here have the email address ${email}, in other spellings. An administrator of this ` +
          `installation can change that.`,
      );
    const domains = await context.db
      .selectFrom('sso_domains')
      .selectAll()
      .where('domain', '=', email.slice(email.lastIndexOf('@') + 1).toLowerCase())
      .orderBy('organizationId')
      .execute();
    const invitations = await pendingInvitations(context, email);
    if (domains.length === 0 && invitations.length === 0)
      throw forbidden(`There is no account for ${email} here. An administrator of this installation can make one.`);
    const user = await createAccount(context, email, name);
    if (!user) return { user: await accountMadeMeanwhile(context, email), joined: [] };
    for (const { organizationId, role } of domains) {
      await context.db
        .insertInto('organization_members')
        .values({ id: context.newId(), organizationId, userId: user.id, role, createdAt: context.now })
        .execute();
      await joinDefaultTeams(context, organizationId, user.id);
    }
    // After the domains, so that who belongs by both keeps the role of the domain.
    for (const invitation of invitations) await joinByInvitation(context, invitation, user.id);
    const joined = [...domains, ...invitations].map(({ organizationId }) => organizationId);
    return { user, joined: [...new Set(joined)] };
  },
});

/** Null where a sign-in at the same moment made it. */
async function createAccount(context: Context, email: string, name: string | null): Promise<UserRow | null> {
  const row = await context.db
    .insertInto('users')
    .values({
      id: context.newId(),
      email,
      name: name?.trim().slice(0, limits.nameLength) || email.slice(0, email.lastIndexOf('@')),
      createdAt: context.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

async function accountMadeMeanwhile(context: Context, email: string): Promise<UserRow> {
  const user = await findAccount(context, email);
  if (!user) throw new Error(`the account of ${email} is gone again`);
  return user;
}
