import { z } from 'zod';
import type { JobRow } from '../../entities/database.js';
import { visiblePipelineIds } from '../find.js';
import { withinMembership } from '../membership.js';
import { defineOperation } from '../operation.js';

/**
 * The job each of many agents is busy with. Whether the caller may see that job is asked apart, unless `visibleOnly`
 * leaves out those of hidden pipelines.
 */
export const heldJobs = defineOperation({
  name: 'agent.held-jobs',
  summary: 'Tells what agents are busy with.',
  kind: 'query',
  batchOf: 'agent.get',
  scope: 'read_agents',
  access: 'authenticated',
  input: z.object({ agentIds: z.array(z.uuid()).max(10_000), visibleOnly: z.boolean().default(false) }),
  subject: async () => ({}),
  run: async (context, { agentIds, visibleOnly }): Promise<Map<string, JobRow>> => {
    const rows = await context.db
      .selectFrom('jobs')
      .selectAll()
      .where('agentId', 'in', agentIds)
      .where(withinMembership(context.actor, 'organizationId'))
      .where('state', 'in', ['assigned', 'accepted', 'running', 'canceling', 'timing_out'])
      .execute();
    const visible = visibleOnly ? new Set(await visiblePipelineIds(context, [...new Set(rows.map((row) => row.pipelineId))])) : null;
    return new Map(rows.flatMap((row) => (row.agentId === null || visible?.has(row.pipelineId) === false ? [] : [[row.agentId, row]])));
  },
});
