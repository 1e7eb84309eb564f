import type { Context } from '../../request/context.js';
import { type InOrganizationAddress, isId } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import type { AgentSubject } from '../../core/subject.js';

/** Finds an agent of an organization that the caller is a member of. `lock` takes its row lock. */
export async function findAgent(
  context: Context,
  address: InOrganizationAddress,
  { lock = false } = {},
): Promise<AgentSubject | null> {
  if (!isId(address.id)) return null;
  let query = context.db.selectFrom('agents').selectAll().where('id', '=', address.id);
  if (lock) query = query.forUpdate();
  const agent = await query.executeTakeFirst();
  const parent = agent ? await findOrganization(context, { id: agent.organizationId }) : null;
  if (!agent || !parent || ('organization' in address && parent.organization.slug !== address.organization))
    return null;
  return { ...parent, agent };
}
