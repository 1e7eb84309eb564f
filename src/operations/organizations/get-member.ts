import { z } from 'zod';
import { idFromEither } from '../../domain/node-id.js';
import type { Row } from '../../entities/database.js';
import { inOrganization } from '../address.js';
import { organizationOf } from '../find-in-organization.js';
import { defineOperation } from '../operation.js';
import type { OrganizationSubject } from '../subject.js';

interface MemberSubject extends OrganizationSubject {
  member: Row<'organization_members'>;
}

/** One membership by its own uuid or node id. */
export const getOrganizationMember = defineOperation({
  name: 'organization-member.get',
  summary: 'Returns one member of an organization.',
  kind: 'query',
  scope: 'read_organizations',
  access: 'member',
  input: z.object({ member: inOrganization }),
  subject: async (context, { member: address }): Promise<MemberSubject | null> => {
    const id = idFromEither(address.id, ['OrganizationMember']);
    const member = id && (await context.load.organizationMember.load(id));
    const organization = member ? await organizationOf(context, member, 'organization' in address ? address.organization : undefined) : null;
    return member && organization ? { organization, member } : null;
  },
  run: async (_context, _input, subject: MemberSubject) => subject,
});
