import { z } from 'zod';
import { buildAddress } from '../address.js';
import { findBuild } from '../find.js';
import { defineOperation } from '../operation.js';
import type { BuildSubject } from '../subject.js';

/** GET one build (api-v2.md), addressed by its number or id. */
export const getBuild = defineOperation({
  name: 'build.get',
  summary: 'Returns one build.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ build: buildAddress }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (_context, _input, subject): Promise<BuildSubject> => subject,
});
