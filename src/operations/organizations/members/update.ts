import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { oneOf } from '../../../domain/input-text.js';
import { ssoModes } from '../../../domain/organizations/sso-mode.js';
import { refuseChange } from '../../../resources/organizations/members/administrators.js';
import { findMember, memberAddress, type MemberSubject } from '../../../resources/organizations/members/find-member.js';

const input = z
  .object({
    organizationMember: memberAddress,
    role: oneOf(['admin', 'member']).nullish(),
    ssoMode: oneOf(ssoModes).nullish(),
  })
  .check(({ value, issues }) => {
    if (value.role == null && value.ssoMode == null)
      issues.push({ code: 'custom', input: undefined, path: [], message: 'Role or sso mode must be given' });
  });

/**
 * Updates the role or sign-in mode of a member. Refuses the caller's own membership, and a change that leaves the
 * organization without an administrator who can sign in without single sign-on.
 */
export const updateOrganizationMember = defineOperation({
  name: 'organization-member.update',
  summary: 'Changes a member of an organization.',
  kind: 'command',
  scope: 'write_organizations',
  access: 'admin',
  refusal: 'sentence',
  input,
  subject: (context, { organizationMember }) => findMember(context, organizationMember, { lock: true }),
  run: async (context, request, subject: MemberSubject): Promise<MemberSubject> => {
    const { organizationMember: before } = subject;
    const role = request.role ?? before.role;
    const ssoMode = request.ssoMode ?? before.ssoMode;
    await refuseChange(context, before, { role, ssoMode });
    const organizationMember = await context.db
      .updateTable('organization_members')
      .set({ role, ssoMode })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    context.record({
      organizationId: before.organizationId,
      subject: 'organization-member',
      subjectId: before.id,
      type: 'organization-member.update',
      from: before.role,
      to: role,
      data: { user_id: before.userId, sso_mode: organizationMember.ssoMode },
    });
    return { ...subject, organizationMember };
  },
});
