import type { Context } from '../../context.js';
import type { JsonObject } from '../../domain/steps/step.js';
import type { Row } from '../../entities/database.js';
import { existing } from './values.js';

/** A member of an organization under the id of the person (rest-facts 3.7). */
export async function presentOrganizationMember(context: Context, member: Row<'organization_members'>): Promise<JsonObject> {
  const user = existing(await context.load.user.load(member.userId), 'a user');
  return { id: user.id, name: user.name, email: user.email, role: member.role, sso_mode: member.ssoMode };
}
