import { z } from 'zod';
import { isBuildRebuildable } from '../../domain/build-state.js';
import { wrongState } from '../../domain/problem.js';
import { buildAddress } from '../address.js';
import { findBuild } from '../find.js';
import { defineOperation } from '../operation.js';
import type { BuildSubject } from '../subject.js';
import { asNewBuild } from './as-new-build.js';
import { insertBuild } from './insert-build.js';
import type { NewBuild } from './new-build.js';

/** PUT rebuild (api-v2.md): a new build with the commit, branch, message, environment and pull request of this one. */
export const rebuildBuild = defineOperation({
  name: 'build.rebuild',
  summary: 'Creates a new build from an existing one.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  input: z.object({ build: buildAddress }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (context, _input, subject): Promise<BuildSubject> => {
    const { build, pipeline } = subject;
    if (!pipeline.allowRebuilds) throw wrongState('Rebuilds have been disabled for this pipeline');
    if (!isBuildRebuildable(build.state)) throw wrongState("Build can't be rebuilt because it's still being created.");
    const wanted: NewBuild = {
      ...asNewBuild(build),
      // What was allowed to be built once is not filtered out on the second try.
      ignorePipelineBranchFilters: true,
      source: 'api',
      creatorId: context.userId,
      rebuiltFromId: build.id,
    };
    return { ...subject, build: await insertBuild(context, subject, wanted) };
  },
});
