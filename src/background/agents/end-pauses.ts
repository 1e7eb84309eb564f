import { liveAgentStates } from '../../domain/agents/agent-state.js';
import { sql } from 'kysely';
import type { Services } from '../../services/services.js';
import { lockAgent } from '../../resources/agents/own-agent.js';
import { isPaused, notPaused } from '../../engine/agents/pause-state.js';
import { changeAgent, noteAgent } from '../../engine/state/agents.js';
import { asSystem } from '../../core/system-transaction.js';
import { eachAlone } from '../each-alone.js';

const atOnce = 50;

/**
 * Resumes agents whose pause has passed (dispatch treats them as resumed before that). Returns the number of agents.
 */
export async function endPauses(services: Services): Promise<number> {
  const now = services.clock.now();
  const over = await services.db
    .selectFrom('agents')
    .select('id')
    .where('connectionState', 'in', liveAgentStates)
    .where(
      sql<boolean>`paused_at + paused_timeout_in_minutes * interval '1 minute' <= ${now.toISOString()}::timestamptz`,
    )
    .limit(atOnce)
    .execute();
  return eachAlone(services, 'pauses', over, (_services, { id }) =>
    asSystem(services, 'pause-timeout', async (context) => {
      const agent = (await lockAgent(context, id))?.agent;
      if (!agent || agent.pausedAt === null || isPaused(agent, context.now)) return false;
      noteAgent(context, await changeAgent(context, agent, notPaused), 'resume', 'the pause timed out');
      return true;
    }),
  );
}
