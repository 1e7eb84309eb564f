import { z } from 'zod';
import { buildAddress } from '../../core/address.js';
import { findBuild } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { BuildSubject } from '../../core/subject.js';

/** GET build: returns one build, by its number or id. */
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
