import type { Context } from '../../context.js';
import { forbidden, wrongState } from '../../domain/problem.js';
import type { Row } from '../../entities/database.js';

/**
 * Refuses a change of one's own membership with `forbidden`, and one that takes the last administrator from an
 * organization with its reason (rest-facts 3.7). `keeps`: the membership stays an administrator's. The caller holds the
 * organization's lock, so that of two who remove each other one stays.
 */
export async function refuseChange({ db, userId }: Context, member: Row<'organization_members'>, keeps: boolean): Promise<void> {
  if (member.userId === userId) throw forbidden();
  if (keeps || member.role !== 'admin') return;
  const other = await db.selectFrom('organization_members').select('id').where('organizationId', '=', member.organizationId).where('role', '=', 'admin').where('id', '!=', member.id).limit(1).executeTakeFirst();
  if (!other) throw wrongState('The last administrator of an organization has to stay one.');
}
