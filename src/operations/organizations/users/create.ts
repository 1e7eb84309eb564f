import { z } from 'zod';
import { hashNewPassword } from '../../../auth/new-password.js';
import type { Context } from '../../../request/context.js';
import { outsideTransaction } from '../../../database/transaction.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalid } from '../../../domain/problem.js';
import { isReservedSlug, organizationSlug } from '../../../domain/organizations/organization-slug.js';
import type { OrganizationRow, UserRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { accountsWithEmail, emailAddress, password } from '../../../resources/organizations/users/account.js';
import { joinDefaultTeams } from '../../../resources/organizations/teams/join-default-teams.js';

const input = z.object({
  email: emailAddress,
  name: z.string().trim().min(1, 'must not be empty').max(limits.nameLength),
  organization: z
    .string()
    .max(limits.slugLength)
    .regex(organizationSlug, 'must be letters, digits and hyphens')
    .refine((slug) => !isReservedSlug(slug), 'is reserved for the service itself'),
  role: z.enum(['admin', 'member']),
  password,
});

export interface CreatedUser {
  user: UserRow;
  organization: OrganizationRow;
  /** Whether the organization was made too, as the first of the installation. */
  first: boolean;
}

/**
 * Creates a user with a password in an organization; the first organization of an installation is created with it.
 * Throws `invalid` for an email address that is taken and for an organization that does not exist beside others.
 */
export const createUser = defineOperation({
  name: 'user.create',
  summary: 'Creates a user in an organization.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input,
  subject: async () => ({}),
  run: async (context, request): Promise<CreatedUser> => {
    const passwordHash = await outsideTransaction('the hash of a new password', () =>
      hashNewPassword(request.password, request.email),
    );
    const [known] = await accountsWithEmail(context, request.email);
    if (known) throw invalid([{ field: 'email', code: `there is a user ${known.email} already` }]);
    const { organization, first } = await theOrganization(context, request.organization);
    const { email, name, role } = request;
    const user = await context.db
      .insertInto('users')
      .values({ id: context.newId(), email, name, passwordHash, createdAt: context.now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await context.db
      .insertInto('organization_members')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        userId: user.id,
        role,
        createdAt: context.now,
      })
      .execute();
    await joinDefaultTeams(context, organization.id, user.id);
    return { user, organization, first };
  },
});

async function theOrganization(context: Context, slug: string): Promise<Omit<CreatedUser, 'user'>> {
  const known = await context.db.selectFrom('organizations').selectAll().where('slug', '=', slug).executeTakeFirst();
  if (known) return { organization: known, first: false };
  const other = await context.db.selectFrom('organizations').select('id').limit(1).executeTakeFirst();
  if (other) throw invalid([{ field: 'organization', code: `there is no organization ${slug}` }]);
  const organization = await context.db
    .insertInto('organizations')
    .values({ id: context.newId(), slug, name: slug, createdAt: context.now })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { organization, first: true };
}
