import type { Db } from '../../entities/database.js';
import type { Services } from '../../services/services.js';
import { isAgentLost, liveAgentStates, lostIfHeardBy } from '../../domain/agents/agent-state.js';
import { lockAgent } from '../../resources/agents/own-agent.js';
import { moveAgent } from '../../engine/state/agents.js';
import { lockJobOfAgent, releaseFromAgent } from '../../engine/agents/release-from-agent.js';
import { asSystem } from '../../core/system-transaction.js';
import { eachAlone } from '../each-alone.js';

const atOnce = 50;

/**
 * Marks agents as lost that gave no sign of life while the installation listened for three minutes ({@link Listening}
 * advances that clock). Their jobs end with exit status -1, or return to the queue if they never started. Returns the
 * number of agents.
 */
export async function loseSilentAgents(services: Services): Promise<number> {
  const silent = await services.db
    .selectFrom('agents')
    .select('id')
    .where('connectionState', 'in', liveAgentStates)
    .where('heardMs', '<=', lostIfHeardBy(await listenedMs(services.db)))
    .orderBy('heardMs')
    .limit(atOnce)
    .execute();
  return eachAlone(services, 'lost-agents', silent, (_services, { id }) => loseAgent(services, id));
}

async function listenedMs(db: Db): Promise<number> {
  return (
    (await db.selectFrom('listening_clocks').select('listenedMs').where('name', '=', 'agents').executeTakeFirst())
      ?.listenedMs ?? 0
  );
}

async function loseAgent(services: Services, id: string): Promise<boolean> {
  return asSystem(services, 'lost-agents', async (context) => {
    const job = await lockJobOfAgent(context, id);
    const agent = (await lockAgent(context, id))?.agent;
    // It may have come back while we waited for the locks.
    if (!agent || !isAgentLost({ state: agent.connectionState, heardMs: agent.heardMs }, await listenedMs(context.db)))
      return false;
    await moveAgent(context, agent, 'lose', { reason: 'no sign of life for three minutes' });
    if (job) await releaseFromAgent(context, job, 'its agent was lost');
    return true;
  });
}
