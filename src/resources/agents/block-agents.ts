import type { Context } from '../../request/context.js';
import { addressIsAllowed } from '../../auth/address-list.js';
import { liveAgentStates } from '../../domain/agents/agent-state.js';
import type { AgentTokenRow } from '../../entities/database.js';
import { lockJobOfAgent, releaseFromAgent } from '../../engine/agents/release-from-agent.js';
import { moveAgent } from '../../engine/state/agents.js';
import { lockAgent } from './own-agent.js';

/** Agents that one change of a token disconnects at most; those beyond are met by the next change. */
const atOnce = 500;

/**
 * Disconnects the agents of a registration token whose address it does not allow any more, and releases their jobs:
 * otherwise a list of addresses would hold only for agents to come.
 */
export async function blockAgents(context: Context, token: Pick<AgentTokenRow, 'id' | 'allowedIpAddresses'>) {
  if (token.allowedIpAddresses === null) return;
  const agents = await context.db
    .selectFrom('agents')
    .select(['id', 'ipAddress'])
    .where('agentTokenId', '=', token.id)
    .where('connectionState', 'in', liveAgentStates)
    .orderBy('id')
    .execute();
  const refused = agents.filter(({ ipAddress }) => !addressIsAllowed(token.allowedIpAddresses, ipAddress));
  for (const { id, ipAddress } of refused.slice(0, atOnce)) await block(context, token.id, { id, ipAddress });
}

async function block(
  context: Context,
  tokenId: string,
  { id, ipAddress }: { id: string; ipAddress: string | null },
): Promise<void> {
  const job = await lockJobOfAgent(context, id);
  if (job) await releaseFromAgent(context, job, 'the address of its agent is not allowed any more');
  const own = await lockAgent(context, id);
  if (!own) return;
  const { organizationId } = own.agent;
  const move = await moveAgent(context, own.agent, 'disconnect', { reason: 'its address is not allowed any more' });
  if (move.kind !== 'moved') return;
  context.record({
    organizationId,
    subject: 'agent',
    subjectId: id,
    agentId: id,
    type: 'agent.blocked',
    from: move.agent.connectionState,
    to: move.agent.connectionState,
    data: { blocked_ip: ipAddress, agent_token: tokenId },
  });
}
