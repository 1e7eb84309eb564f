import { z } from 'zod';
import { pipelineIsVisible } from '../../auth/authorize.js';
import { defineOperation } from '../../core/operation.js';

/** Returns, for each of many builds, the step ids by key, which `depends_on` names. */
export const dependencySteps = defineOperation({
  name: 'build.step-keys',
  summary: 'Returns the steps of builds by key.',
  kind: 'query',
  batchOf: 'build.get',
  scope: 'read_builds',
  access: 'authenticated',
  input: z.object({ buildIds: z.array(z.uuid()).max(10_000) }),
  subject: async () => ({}),
  run: async (context, { buildIds }): Promise<Map<string, Map<string, string>>> => {
    const rows = await context.db
      .selectFrom('steps as s')
      .innerJoin('builds as b', 'b.id', 's.buildId')
      .innerJoin('pipelines as p', 'p.id', 'b.pipelineId')
      .innerJoin('organizations as o', 'o.id', 'p.organizationId')
      .select(['s.id', 's.buildId', 's.key'])
      .where('s.buildId', 'in', buildIds)
      .where('s.key', 'is not', null)
      .where(pipelineIsVisible(context.actor))
      .execute();
    const keys = new Map(buildIds.map((id) => [id, new Map<string, string>()]));
    for (const { id, buildId, key } of rows) if (key !== null) keys.get(buildId)?.set(key, id);
    return keys;
  },
});
