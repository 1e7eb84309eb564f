import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { Row } from '../../../entities/database.js';
import { inOrganization, type InOrganizationAddress, type OrganizationAddress } from '../../../core/address.js';
import { organizationOf } from '../../../core/find-in-organization.js';
import { findOrganization } from '../../../core/find.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { isStorable } from '../../../domain/input-text.js';

const word = z.string().max(300).refine(isStorable);

/** By the person and the organization (its slug or uuid), or by the membership's own uuid or node id. */
export const memberAddress = z.union([
  z.object({ organization: word, user: word }),
  z.object({ organizationId: word, user: word }),
  inOrganization,
]);

export interface MemberSubject extends OrganizationSubject {
  organizationMember: Row<'organization_members'>;
}

/** Finds a membership in an organization that the caller may see; `lock` reads it under the organization's lock. */
export async function findMember(
  context: Context,
  address: z.output<typeof memberAddress>,
  { lock = false } = {},
): Promise<MemberSubject | null> {
  const parent =
    'user' in address
      ? await memberByUser(context, organizationAddressOf(address), address.user)
      : await memberById(context, address);
  if (!parent || !lock) return parent;
  await context.db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', parent.organization.id)
    .forNoKeyUpdate()
    .execute();
  const organizationMember = await context.db
    .selectFrom('organization_members')
    .selectAll()
    .where('id', '=', parent.organizationMember.id)
    .executeTakeFirst();
  return organizationMember ? { ...parent, organizationMember } : null;
}

const organizationAddressOf = (address: { organization: string } | { organizationId: string }): OrganizationAddress =>
  'organization' in address ? { slug: address.organization } : { id: address.organizationId };

async function memberByUser(
  context: Context,
  organization: OrganizationAddress,
  user: string,
): Promise<MemberSubject | null> {
  const parent = await findOrganization(context, organization);
  const userId = idFromEither(user, ['User']);
  if (!parent || userId === null) return null;
  const member = await context.load.memberOfOrganization.load(`${parent.organization.id} ${userId}`);
  return member ? { organization: parent.organization, organizationMember: member } : null;
}

async function memberById(context: Context, address: InOrganizationAddress): Promise<MemberSubject | null> {
  const id = idFromEither(address.id, ['OrganizationMember']);
  const member = id === null ? null : await context.load.organizationMember.load(id);
  const organization = await organizationOf(
    context,
    member,
    'organization' in address ? address.organization : undefined,
  );
  return member && organization ? { organization, organizationMember: member } : null;
}
