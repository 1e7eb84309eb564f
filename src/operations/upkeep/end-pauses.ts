import { sql } from 'kysely';
import type { Services } from '../../context.js';
import { lockAgent } from '../agents/own-agent.js';
import { isPaused, notPaused } from '../agents/pause-state.js';
import { recordAgentChange } from '../agents/record-agent-change.js';
import { asSystem } from '../system-transaction.js';
import { eachAlone } from './each-alone.js';

const atOnce = 50;

/** Resumes agents whose pause is over; until then they only count as resumed. The number resumed. */
export async function endPauses(services: Services): Promise<number> {
  const now = services.clock.now();
  const over = await services.db
    .selectFrom('agents')
    .select('id')
    .where('connectionState', 'in', ['never_connected', 'connected', 'stopping'])
    .where(sql<boolean>`paused_at + paused_timeout_in_minutes * interval '1 minute' <= ${now.toISOString()}::timestamptz`)
    .limit(atOnce)
    .execute();
  return eachAlone(services, over, (_services, { id }) =>
    asSystem(services, 'pause-timeout', async (context) => {
      const agent = (await lockAgent(context, id))?.agent;
      if (!agent || agent.pausedAt === null || isPaused(agent, context.now)) return false;
      const resumed = await context.db.updateTable('agents').set(notPaused).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
      recordAgentChange(context, resumed, 'resume', agent.connectionState, 'the pause timed out');
      return true;
    }),
  );
}
