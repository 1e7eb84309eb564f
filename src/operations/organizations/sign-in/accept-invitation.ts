import { z } from 'zod';
import { hashNewPassword } from '../../../auth/new-password.js';
import { hashToken } from '../../../auth/secrets.js';
import type { Context } from '../../../request/context.js';
import { defineOperation } from '../../../core/operation.js';
import { outsideTransaction } from '../../../database/transaction.js';
import { limits } from '../../../domain/limits/limits.js';
import { invitationState } from '../../../domain/organizations/invitation.js';
import { signInMethods } from '../../../domain/organizations/sso-mode.js';
import { Problem } from '../../../domain/problem.js';
import type { OrganizationRow } from '../../../entities/database.js';
import { type Invitation, invitationColumns } from '../../../resources/organizations/invitations/invitation.js';
import { isOpenTo } from '../../../resources/organizations/invitations/is-open-to.js';
import { joinByInvitation } from '../../../resources/organizations/invitations/join.js';
import { accountsWithEmail, password } from '../../../resources/organizations/users/account.js';
import { goneInvitation } from './find-invitation.js';

const input = z.object({
  token: z.string().max(200),
  by: z.union([
    /** Somebody who is signed in. */
    z.object({ userId: z.uuid(), method: z.enum(signInMethods) }),
    /** Somebody without an account, who gets one for the invited email address. */
    z.object({ name: z.string().trim().min(1, 'must not be empty').max(limits.nameLength), password }),
  ]),
});

export interface AcceptedInvitation {
  userId: string;
  organization: OrganizationRow;
}

/**
 * Accepts the invitation of an address; of two visits one gets it. Throws `gone` as `sign-in.find-invitation` does, and
 * `not_applicable` where an account is asked for that there is, and where the invitation requires single sign-on and
 * the invited comes another way.
 */
export const acceptInvitation = defineOperation({
  name: 'sign-in.accept-invitation',
  summary: 'Accepts an invitation to an organization.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input,
  subject: async () => ({}),
  run: async (context, { token, by }): Promise<AcceptedInvitation> => {
    const hash = hashToken(token);
    const passwordHash = 'password' in by ? await newPasswordHash(context, hash, by.password) : null;
    const invitation = await context.db
      .selectFrom('organization_invitations')
      .select(invitationColumns)
      .where('tokenHash', '=', hash)
      .forUpdate()
      .executeTakeFirst();
    const organization = invitation && (await context.load.organization.load(invitation.organizationId));
    if (!invitation || !organization || invitationState(invitation, context.now) !== 'pending') throw goneInvitation();
    if (!isOpenTo(context.services, invitation, 'userId' in by ? by.method : 'password'))
      throw new Problem(
        'not_applicable',
        `${organization.name} requires single sign-on. Please sign in with it to join.`,
      );
    const userId = 'userId' in by ? by.userId : await newAccount(context, invitation, by.name, passwordHash);
    await joinByInvitation(context, invitation, userId);
    return { userId, organization };
  },
});

/** The hash of the password of an account for the invited address. Throws `gone` without such an invitation. */
async function newPasswordHash({ db }: Context, tokenHash: string, password: string): Promise<string> {
  const invitation = await db
    .selectFrom('organization_invitations')
    .select('email')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
  if (!invitation) throw goneInvitation();
  return outsideTransaction('the hash of a new password', () => hashNewPassword(password, invitation.email));
}

async function newAccount(
  context: Context,
  { email }: Invitation,
  name: string,
  passwordHash: string | null,
): Promise<string> {
  const emailConflict = () =>
    new Problem('not_applicable', `There is an account for ${email} already. Please sign in with it.`);
  if ((await accountsWithEmail(context, email)).length > 0) throw emailConflict();
  const row = await context.db
    .insertInto('users')
    .values({ id: context.newId(), email, name, passwordHash, createdAt: context.now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) throw emailConflict();
  return row.id;
}
