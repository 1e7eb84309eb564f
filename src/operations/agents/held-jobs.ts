import { z } from 'zod';
import type { JobRow } from '../../entities/database.js';
import { withinMembership } from '../membership.js';
import { defineOperation } from '../operation.js';

/** The job each of many agents is busy with. Whether the caller may see that job is asked apart. */
export const heldJobs = defineOperation({
  name: 'agent.held-jobs',
  summary: 'Tells what agents are busy with.',
  kind: 'query',
  scope: 'read_agents',
  access: 'authenticated',
  input: z.object({ agentIds: z.array(z.uuid()).max(10_000) }),
  subject: async () => ({}),
  run: async (context, { agentIds }): Promise<Map<string, JobRow>> => {
    const rows = await context.db
      .selectFrom('jobs')
      .selectAll()
      .where('agentId', 'in', agentIds)
      .where(withinMembership(context.actor, 'organizationId'))
      .where('state', 'in', ['assigned', 'accepted', 'running', 'canceling', 'timing_out'])
      .execute();
    return new Map(rows.flatMap((row) => (row.agentId === null ? [] : [[row.agentId, row]])));
  },
});
