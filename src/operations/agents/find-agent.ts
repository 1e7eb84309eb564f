import type { Context } from '../../context.js';
import { type InOrganizationAddress, isId } from '../address.js';
import { findOrganization } from '../find.js';
import type { AgentSubject } from '../subject.js';

/** The agent a caller names, if it belongs to an organization the caller is a member of. `lock` takes its row lock. */
export async function findAgent(context: Context, address: InOrganizationAddress, { lock = false } = {}): Promise<AgentSubject | null> {
  if (!isId(address.id)) return null;
  let query = context.db.selectFrom('agents').selectAll().where('id', '=', address.id);
  if (lock) query = query.forUpdate();
  const agent = await query.executeTakeFirst();
  const found = agent ? await findOrganization(context, { id: agent.organizationId }) : null;
  if (!agent || !found || ('organization' in address && found.organization.slug !== address.organization)) return null;
  return { ...found, agent };
}
