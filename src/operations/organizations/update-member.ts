import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { oneOf } from '../text.js';
import { refuseChange } from './administrators.js';
import { findMember, memberAddress, type MemberSubject } from './find-member.js';

/** Gives a member of an organization another role (rest-facts 3.7); nobody changes their own. */
export const updateOrganizationMember = defineOperation({
  name: 'organization-member.update',
  summary: 'Changes the role of a member of an organization.',
  kind: 'command',
  scope: 'write_organizations',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organizationMember: memberAddress, role: oneOf(['admin', 'member']) }),
  subject: (context, { organizationMember }) => findMember(context, organizationMember, { lock: true }),
  run: async (context, { role }, subject: MemberSubject): Promise<MemberSubject> => {
    const { organizationMember: before } = subject;
    await refuseChange(context, before, role === 'admin');
    const organizationMember = await context.db.updateTable('organization_members').set({ role }).where('id', '=', before.id).returningAll().executeTakeFirstOrThrow();
    context.record({
      organizationId: before.organizationId, subject: 'organization-member', subjectId: before.id, type: 'organization-member.update', from: before.role, to: role, data: { user_id: before.userId },
    });
    return { ...subject, organizationMember };
  },
});
