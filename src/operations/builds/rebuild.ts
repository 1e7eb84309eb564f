import { z } from 'zod';
import { isBuildRebuildable } from '../../domain/builds/build-state.js';
import { wrongState } from '../../domain/problem.js';
import { buildAddress } from '../../core/address.js';
import { findBuild } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { BuildSubject } from '../../core/subject.js';
import { insertBuild } from '../../engine/new-builds/insert-build.js';
import { type NewBuild, newBuildFromRow } from '../../engine/new-builds/new-build.js';

/** PUT rebuild: creates a build with the commit, branch, message, environment and pull request of an existing one. */
export const rebuildBuild = defineOperation({
  name: 'build.rebuild',
  summary: 'Creates a new build from an existing one.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  onArchived: true,
  input: z.object({ build: buildAddress }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (context, _input, subject): Promise<BuildSubject> => {
    const { build, pipeline } = subject;
    if (!pipeline.allowRebuilds) throw wrongState('Rebuilds have been disabled for this pipeline');
    if (build.culpritSearchId !== null)
      throw wrongState('Builds of a search for a culprit cannot be rebuilt: rebuild the failed build, or search again');
    if (!isBuildRebuildable(build.state)) throw wrongState("Build can't be rebuilt because it's still being created.");
    const copy: NewBuild = {
      ...newBuildFromRow(build),
      // A build that was allowed once is not filtered again.
      ignorePipelineBranchFilters: true,
      source: 'api',
      creatorId: context.userId,
      rebuiltFromId: build.id,
    };
    return { ...subject, build: await insertBuild(context, subject, copy) };
  },
});
