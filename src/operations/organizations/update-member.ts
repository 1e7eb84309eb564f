import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { oneOf } from '../text.js';
import { refuseChange } from './administrators.js';
import { findMember, memberAddress, type MemberSubject } from './find-member.js';

const input = z
  .object({
    organizationMember: memberAddress,
    role: oneOf(['admin', 'member']).nullish(),
    /** Kept and shown; nobody signs in through another service yet. */
    ssoMode: oneOf(['optional', 'required']).nullish(),
  })
  .check(({ value, issues }) => {
    if (value.role == null && value.ssoMode == null) issues.push({ code: 'custom', input: undefined, path: [], message: 'Role or sso mode must be given' });
  });

/** Gives a member of an organization another role or way to sign in (rest-facts 3.7); nobody changes their own. */
export const updateOrganizationMember = defineOperation({
  name: 'organization-member.update',
  summary: 'Changes a member of an organization.',
  kind: 'command',
  scope: 'write_organizations',
  access: 'admin',
  refusal: 'sentence',
  input,
  subject: (context, { organizationMember }) => findMember(context, organizationMember, { lock: true }),
  run: async (context, given, subject: MemberSubject): Promise<MemberSubject> => {
    const { organizationMember: before } = subject;
    const role = given.role ?? before.role;
    await refuseChange(context, before, role === 'admin');
    const organizationMember = await context.db.updateTable('organization_members').set({ role, ssoMode: given.ssoMode ?? before.ssoMode }).where('id', '=', before.id).returningAll().executeTakeFirstOrThrow();
    context.record({
      organizationId: before.organizationId, subject: 'organization-member', subjectId: before.id, type: 'organization-member.update', from: before.role, to: role, data: { user_id: before.userId, sso_mode: organizationMember.ssoMode },
    });
    return { ...subject, organizationMember };
  },
});
