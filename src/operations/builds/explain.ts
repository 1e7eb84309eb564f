import { z } from 'zod';
import { buildAddress } from '../../core/address.js';
import { findBuild } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { BuildExplanation } from '../../domain/builds/explanations/build-explanation.js';
import type { BuildRow } from '../../entities/database.js';
import { explainBuilds } from '../../resources/builds/explanations/explain-builds.js';

/**
 * GET explanation: tells why a build was skipped or canceled, waits for a person or ran nothing; null for any other.
 */
export const explainOneBuild = defineOperation({
  name: 'build.explain',
  summary: 'Explains why a build was skipped or canceled, waits for a person or ran nothing.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ build: buildAddress }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (context, _input, { build }): Promise<{ build: BuildRow; explanation: BuildExplanation | null }> => {
    const explanations = await explainBuilds(context, [build]);
    return { build, explanation: explanations.get(build.id) ?? null };
  },
});
