import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { Row, UserRow } from '../../../entities/database.js';
import { enumOf, text, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { existing } from '../values.js';

/** A member of an organization, identified by the ID of the user. */
export const organizationMemberResource = resource<{ member: Row<'organization_members'>; user: UserRow }>({
  id: field(uuid, 'ID of the user.', ({ user }) => user.id),
  name: field(text, 'Full name of the user.', ({ user }) => user.name),
  email: field(text, 'Email address of the user.', ({ user }) => user.email),
  role: field(enumOf('admin', 'member'), 'Role of the user in the organization.', ({ member }) => member.role),
  sso_mode: field(
    enumOf('optional', 'required'),
    'Whether only sessions that began with single sign-on reach the organization. It has effect where the ' +
      'installation has single sign-on; API tokens are not affected.',
    ({ member }) => member.ssoMode,
  ),
});

export async function presentOrganizationMember(
  context: Context,
  member: Row<'organization_members'>,
): Promise<JsonObject> {
  const user = existing(await context.load.user.load(member.userId), 'a user');
  return organizationMemberResource.present({ member, user });
}
