import type { Context } from '../../../request/context.js';
import { forbidden, wrongState } from '../../../domain/problem.js';
import type { Row } from '../../../entities/database.js';

type Membership = Row<'organization_members'>;

/**
 * Throws `forbidden` if the change concerns the caller's own membership, and `wrong_state` if it would take from the
 * organization its last administrator, or the last one who can sign in without single sign-on: while the provider is
 * away or refuses everybody, that one still gets in. `after`: the membership's new values, null for its removal. The
 * caller holds the organization's lock, so that of two administrators who remove each other one remains.
 */
export async function refuseChange(
  context: Context,
  member: Membership,
  after: Pick<Membership, 'role' | 'ssoMode'> | null,
): Promise<void> {
  if (member.userId === context.userId) throw forbidden();
  const remainsAdmin = after?.role === 'admin';
  if (member.role !== 'admin' || (remainsAdmin && after.ssoMode === member.ssoMode)) return;
  const others = await context.db
    .selectFrom('organization_members')
    .select('ssoMode')
    .where('organizationId', '=', member.organizationId)
    .where('role', '=', 'admin')
    .where('id', '!=', member.id)
    .groupBy('ssoMode')
    .execute();
  if (!remainsAdmin && others.length === 0)
    throw wrongState('The last administrator of an organization must remain an administrator.');
  const keepsWayIn = remainsAdmin && after.ssoMode === 'optional';
  if (member.ssoMode === 'optional' && !keepsWayIn && !others.some(({ ssoMode }) => ssoMode === 'optional'))
    throw wrongState(
      'One administrator of an organization must remain able to sign in without single sign-on, in case its ' +
        'provider fails.',
    );
}
