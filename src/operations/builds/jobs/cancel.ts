import { z } from 'zod';
import { transition } from '../../../domain/builds/job-state.js';
import { wrongState } from '../../../domain/problem.js';
import { jobAddress } from '../../../core/address.js';
import { findJob, rereadJob } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { endJob } from '../../../engine/builds/end-job.js';
import { moveJob } from '../../../engine/state/jobs.js';
import type { JobSubject } from '../../../core/subject.js';

/** Cancels one job (jobTypeCommandCancel): at once where no process runs, else by asking its agent to stop it. */
export const cancelJob = defineOperation({
  name: 'job.cancel',
  summary: 'Cancels a job.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  onArchived: true,
  input: z.object({ job: jobAddress }),
  subject: (context, { job }) => findJob(context, job, { lock: true }),
  run: async (context, _input, subject): Promise<JobSubject> => {
    const { build, job } = subject;
    const move = transition(job.type, job.state, 'cancel');
    if (move.kind === 'refused') throw wrongState(`Job can't be canceled because its state is ${job.state}`);
    if (move.kind === 'already') return subject;
    if (move.to === 'canceled') {
      const ended = await endJob(context, build, job, {
        event: 'cancel',
        exitStatus: null,
        reason: 'canceled by request',
      });
      return { ...subject, build: ended.build, job: (await rereadJob(context, job.id)) ?? job };
    }
    const canceling = await moveJob(context, job, 'cancel', { reason: 'canceled by request' });
    return canceling.kind === 'moved' ? { ...subject, job: canceling.job } : subject;
  },
});
