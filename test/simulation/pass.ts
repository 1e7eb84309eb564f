import { asSystem } from '../../src/core/system-transaction.js';
import { assignJobs } from '../../src/engine/agents/assign-jobs.js';
import { planPass } from '../../src/engine/agents/plan-pass.js';
import type { Services } from '../../src/services/services.js';

/**
 * One pass over a queue for agents that wait on streams, as the server makes it when a job becomes ready. Returns the
 * agent of each job that was offered.
 */
export async function passOver(
  services: Services,
  queueId: string,
  agentIds: readonly string[],
): Promise<Map<string, string>> {
  if (agentIds.length === 0) return new Map();
  const agents = await services.db
    .selectFrom('agents')
    .select(['id', 'priority', 'metaData'])
    .where('id', 'in', agentIds)
    .execute();
  const plan = await planPass(services.db, queueId, agents, services.clock.now());
  if (!plan || plan.offers.length === 0) return new Map();
  return asSystem(services, 'dispatch', (context) => assignJobs(context, queueId, plan.offers));
}
