import type { Services } from '../../context.js';
import { agentLostAfterMs, isAgentLost, transitionAgent } from '../../domain/agent-state.js';
import { lockAgent } from '../agents/own-agent.js';
import { recordAgentChange } from '../agents/record-agent-change.js';
import { lockJobOfAgent, releaseFromAgent } from '../jobs/release-from-agent.js';
import { asSystem } from '../system-transaction.js';
import { eachAlone } from './each-alone.js';

const atOnce = 50;

/**
 * Marks agents lost that gave no sign of life for three minutes; the job of each ends with exit status -1, or goes
 * back to the queue if it never started (rest-facts 4.6, I6). The number of agents lost.
 */
export async function loseSilentAgents(services: Services): Promise<number> {
  const lastSeenBefore = new Date(services.clock.now().getTime() - agentLostAfterMs);
  const silent = await services.db
    .selectFrom('agents')
    .select('id')
    .where('connectionState', 'in', ['never_connected', 'connected', 'stopping'])
    .where('heartbeatAt', '<=', lastSeenBefore)
    .orderBy('heartbeatAt')
    .limit(atOnce)
    .execute();
  return eachAlone(services, silent, (_services, { id }) => loseAgent(services, id));
}

async function loseAgent(services: Services, id: string): Promise<boolean> {
  return asSystem(services, 'lost-agents', async (context) => {
    const held = await lockJobOfAgent(context, id);
    const agent = (await lockAgent(context, id))?.agent;
    // It may have come back while we waited for the locks.
    if (!agent || !isAgentLost({ state: agent.connectionState, lastSeenAt: agent.heartbeatAt }, context.now)) return false;
    const move = transitionAgent(agent.connectionState, 'lose');
    if (move.kind !== 'moved') return false;
    const lost = await context.db.updateTable('agents').set({ connectionState: move.to, lostAt: context.now }).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
    recordAgentChange(context, lost, 'lose', agent.connectionState, 'no sign of life for three minutes');
    if (held) await releaseFromAgent(context, held, 'its agent was lost');
    return true;
  });
}
