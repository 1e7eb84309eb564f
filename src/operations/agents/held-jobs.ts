import { z } from 'zod';
import { withVersion } from '../../database/row-version.js';
import { agentHeldStates } from '../../domain/builds/job-state.js';
import type { JobRow } from '../../entities/database.js';
import { visiblePipelineIds } from '../../core/find.js';
import { withinMembership } from '../../core/membership.js';
import { defineOperation } from '../../core/operation.js';

/**
 * Returns the job that each of many agents holds. With `visibleOnly` jobs of hidden pipelines are left out; without it
 * the surface checks visibility itself.
 */
export const heldJobs = defineOperation({
  name: 'agent.held-jobs',
  summary: 'Returns the jobs that agents hold.',
  kind: 'query',
  batchOf: 'agent.get',
  scope: 'read_agents',
  access: 'authenticated',
  input: z.object({ agentIds: z.array(z.uuid()).max(10_000), visibleOnly: z.boolean().default(false) }),
  subject: async () => ({}),
  run: async (context, { agentIds, visibleOnly }): Promise<Map<string, JobRow>> => {
    const rows = await withVersion(context.db.selectFrom('jobs').selectAll(), 'jobs')
      .where('agentId', 'in', agentIds)
      .where(withinMembership(context.actor, 'organizationId'))
      .where('state', 'in', agentHeldStates)
      .execute();
    const visible = visibleOnly
      ? new Set(await visiblePipelineIds(context, [...new Set(rows.map((row) => row.pipelineId))]))
      : null;
    return new Map(
      rows.flatMap((row) =>
        row.agentId === null || visible?.has(row.pipelineId) === false ? [] : [[row.agentId, row]],
      ),
    );
  },
});
