import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { findMember, memberAddress, type MemberSubject } from '../../../resources/organizations/members/find-member.js';

/** Returns one membership, by the user or by its own uuid or node id. */
export const getOrganizationMember = defineOperation({
  name: 'organization-member.get',
  summary: 'Returns one member of an organization.',
  kind: 'query',
  scope: 'read_organizations',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ organizationMember: memberAddress }),
  subject: (context, { organizationMember }) => findMember(context, organizationMember),
  run: async (_context, _input, subject: MemberSubject) => subject,
});
