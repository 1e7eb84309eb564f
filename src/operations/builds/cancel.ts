import { z } from 'zod';
import { buildCancelProblem } from '../../domain/builds/build-state.js';
import { limits } from '../../domain/limits/limits.js';
import { wrongState } from '../../domain/problem.js';
import { buildAddress } from '../../core/address.js';
import { findBuild } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import { requestCancel } from '../../engine/builds/request-cancel.js';
import type { BuildSubject } from '../../core/subject.js';

/**
 * PUT cancel: cancels a build, also a blocked one. Waiting jobs are canceled at once; agents are asked to stop running
 * ones.
 */
export const cancelBuild = defineOperation({
  name: 'build.cancel',
  summary: 'Cancels a build.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  onArchived: true,
  input: z.object({ build: buildAddress, reason: z.string().max(limits.descriptionLength).nullish() }),
  subject: (context, { build }) => findBuild(context, build, { lock: true }),
  run: async (context, { reason }, subject): Promise<BuildSubject> => {
    const problem = buildCancelProblem(subject.build.state);
    if (problem !== null) throw wrongState(problem);
    return { ...subject, build: await requestCancel(context, subject.build, reason ?? null) };
  },
});
