import { z } from 'zod';
import { buildCancelProblem } from '../../domain/builds/build-state.js';
import { wrongState } from '../../domain/problem.js';
import { defineOperation } from '../../core/operation.js';
import type { Subject } from '../../core/subject.js';
import type { LockedJob } from '../../engine/builds/lock-job.js';
import { requestCancel } from '../../engine/builds/request-cancel.js';
import { lockCallersBuild } from '../../resources/builds/steps/callers-step.js';

/** POST cancel: a job cancels its own build; again while the build is being canceled, because the reply may be lost. */
export const cancelOwnBuild = defineOperation({
  name: 'build.cancel-own',
  summary: 'Cancels the build of a running job.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({ build: z.string().max(300) }),
  subject: (context, { build }): Promise<(Subject & LockedJob) | null> => lockCallersBuild(context, build),
  run: async (context, _input, { build, job }): Promise<{ id: string }> => {
    if (build.state === 'canceling') return build;
    const problem = buildCancelProblem(build.state);
    if (problem !== null) throw wrongState(problem);
    return requestCancel(context, build, `Canceled by the job ${job.label ?? job.id}`);
  },
});
