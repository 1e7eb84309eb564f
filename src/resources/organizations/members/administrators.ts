import type { Context } from '../../../context.js';
import { forbidden, wrongState } from '../../../domain/problem.js';
import type { Row } from '../../../entities/database.js';

/**
 * Throws `forbidden` if the change concerns the caller's own membership or would leave the organization without an
 * administrator. `keeps`: the membership remains an administrator's. The caller holds the organization's lock, so that
 * of two administrators who remove each other one remains.
 */
export async function refuseChange(
  { db, userId }: Context,
  member: Row<'organization_members'>,
  keeps: boolean,
): Promise<void> {
  if (member.userId === userId) throw forbidden();
  if (keeps || member.role !== 'admin') return;
  const other = await db
    .selectFrom('organization_members')
    .select('id')
    .where('organizationId', '=', member.organizationId)
    .where('role', '=', 'admin')
    .where('id', '!=', member.id)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw wrongState('The last administrator of an organization must remain an administrator.');
}
