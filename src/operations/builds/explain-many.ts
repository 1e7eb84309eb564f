import { z } from 'zod';
import { visiblePipelineIds } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { EverywhereSubject } from '../../core/subject.js';
import type { BuildExplanation } from '../../domain/builds/explanations/build-explanation.js';
import type { BuildRow } from '../../entities/database.js';
import { explainBuilds } from '../../resources/builds/explanations/explain-builds.js';

/** Explains several builds in the same few statements. Builds that the caller may not see have no entry. */
export const explainManyBuilds = defineOperation({
  name: 'build.explain-many',
  summary: 'Explains several builds at once.',
  kind: 'query',
  batchOf: 'build.explain',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ buildIds: z.array(z.uuid()).max(10_000) }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { buildIds }): Promise<Map<string, BuildExplanation | null>> => {
    const builds = (await context.uncheckedRows.build.loadMany(buildIds)).filter(
      (build): build is BuildRow => build !== null && !(build instanceof Error),
    );
    const visible = new Set(await visiblePipelineIds(context, [...new Set(builds.map((build) => build.pipelineId))]));
    return explainBuilds(
      context,
      builds.filter((build) => visible.has(build.pipelineId)),
    );
  },
});
