import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { refuseChange } from '../../../resources/organizations/members/administrators.js';
import { findMember, memberAddress, type MemberSubject } from '../../../resources/organizations/members/find-member.js';

/**
 * Removes a member from an organization and its teams, and returns the former membership. The account and its resources
 * remain. Refuses the caller's own membership and the last administrator.
 */
export const deleteOrganizationMember = defineOperation({
  name: 'organization-member.delete',
  summary: 'Removes a member from an organization.',
  kind: 'command',
  scope: 'write_organizations',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organizationMember: memberAddress }),
  subject: (context, { organizationMember }) => findMember(context, organizationMember, { lock: true }),
  run: async (context, _input, subject: MemberSubject): Promise<MemberSubject> => {
    const { organizationMember: member } = subject;
    const { db } = context;
    await refuseChange(context, member, null);
    await db.deleteFrom('organization_members').where('id', '=', member.id).execute();
    await db
      .deleteFrom('team_members')
      .where('organizationId', '=', member.organizationId)
      .where('userId', '=', member.userId)
      .execute();
    await db
      .deleteFrom('pipeline_favorites')
      .where('organizationId', '=', member.organizationId)
      .where('userId', '=', member.userId)
      .execute();
    context.record({
      organizationId: member.organizationId,
      subject: 'organization-member',
      subjectId: member.id,
      type: 'organization-member.delete',
      from: member.role,
      data: { user_id: member.userId },
    });
    return subject;
  },
});
