import { z } from 'zod';
import { pipelineAccessOf } from '../../auth/authorize.js';
import type { PipelineRow } from '../../entities/database.js';
import type { PipelineAccessLevel } from '../../entities/organizations/team-pipeline.js';
import { defineOperation } from '../../core/operation.js';

/** Returns the caller's access level to each of many pipelines; null for one that is hidden or missing. */
export const pipelineLevels = defineOperation({
  name: 'pipeline.levels',
  summary: "Returns the caller's access levels to pipelines.",
  kind: 'query',
  batchOf: 'pipeline.get',
  scope: 'read_pipelines',
  access: 'authenticated',
  input: z.object({ pipelineIds: z.array(z.uuid()).max(10_000) }),
  subject: async () => ({}),
  run: async (context, { pipelineIds }): Promise<Map<string, PipelineAccessLevel | null>> => {
    const pipelines = (await context.uncheckedRows.pipeline.loadMany(pipelineIds)).filter(
      (pipeline): pipeline is PipelineRow => pipeline !== null && !(pipeline instanceof Error),
    );
    const guarded = await Promise.all(
      pipelines.map(async (pipeline) => ({
        ...pipeline,
        organization: (await context.load.organization.load(pipeline.organizationId)) ?? {
          id: pipeline.organizationId,
          teamsEnabled: true,
        },
      })),
    );
    return pipelineAccessOf(context.db, context.actor, guarded);
  },
});
