import { z } from 'zod';
import type { Context } from '../../context.js';
import { idFromEither } from '../../domain/node-id.js';
import type { Row } from '../../entities/database.js';
import { inOrganization, type InOrganizationAddress } from '../address.js';
import { organizationOf } from '../find-in-organization.js';
import { findOrganization } from '../find.js';
import type { OrganizationSubject } from '../subject.js';
import { isStorable } from '../text.js';

const word = z.string().max(300).refine(isStorable);

/** By the person and the organization, or by the membership's own uuid or node id. */
export const memberAddress = z.union([z.object({ organization: word, user: word }), inOrganization]);

export interface MemberSubject extends OrganizationSubject {
  organizationMember: Row<'organization_members'>;
}

/** The membership a caller names, if it may see its organization; with `lock` read under the organization's lock. */
export async function findMember(context: Context, address: z.output<typeof memberAddress>, { lock = false } = {}): Promise<MemberSubject | null> {
  const found = 'user' in address ? await memberByUser(context, address.organization, address.user) : await memberById(context, address);
  if (!found || !lock) return found;
  await context.db.selectFrom('organizations').select('id').where('id', '=', found.organization.id).forNoKeyUpdate().execute();
  const organizationMember = await context.db.selectFrom('organization_members').selectAll().where('id', '=', found.organizationMember.id).executeTakeFirst();
  return organizationMember ? { ...found, organizationMember } : null;
}

async function memberByUser(context: Context, organization: string, user: string): Promise<MemberSubject | null> {
  const found = await findOrganization(context, { slug: organization });
  const userId = idFromEither(user, ['User']);
  if (!found || userId === null) return null;
  const member = await context.db.selectFrom('organization_members').selectAll().where('organizationId', '=', found.organization.id).where('userId', '=', userId).executeTakeFirst();
  return member ? { organization: found.organization, organizationMember: member } : null;
}

async function memberById(context: Context, address: InOrganizationAddress): Promise<MemberSubject | null> {
  const id = idFromEither(address.id, ['OrganizationMember']);
  const member = id === null ? null : await context.load.organizationMember.load(id);
  const organization = await organizationOf(context, member, 'organization' in address ? address.organization : undefined);
  return member && organization ? { organization, organizationMember: member } : null;
}
