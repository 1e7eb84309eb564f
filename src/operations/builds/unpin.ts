import { z } from 'zod';
import { buildAddress } from '../../core/address.js';
import { findBuild } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { BuildSubject } from '../../core/subject.js';
import { changeBuild } from '../../engine/state/builds.js';

/** DELETE pin: gives a build back to retention. Repeating it changes nothing. */
export const unpinBuild = defineOperation({
  name: 'build.unpin',
  summary: 'Lets retention delete a build that was pinned.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  input: z.object({ build: buildAddress }),
  subject: (context, { build }) => findBuild(context, build, { lock: true }),
  run: async (context, _input, subject): Promise<BuildSubject> => {
    if (subject.build.pinnedAt === null) return subject;
    const unmarked = { pinnedAt: null, pinnedById: null, pinReason: null };
    return { ...subject, build: await changeBuild(context, subject.build, unmarked) };
  },
});
