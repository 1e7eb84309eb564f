import { z } from 'zod';
import { transition } from '../../../domain/builds/job-state.js';
import { wrongState } from '../../../domain/problem.js';
import { jobAddress } from '../../../core/address.js';
import { findJob, rereadJob } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { recordJobChange } from '../../../engine/builds/apply-changes.js';
import { endJob } from '../../../engine/builds/end-job.js';
import { jobPatch } from '../../../engine/builds/job-patch.js';
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
    await context.db.updateTable('jobs').set({ canceledById: context.userId }).where('id', '=', job.id).execute();
    if (move.to === 'canceled') {
      const ended = await endJob(context, build, job, {
        event: 'cancel',
        exitStatus: null,
        reason: 'canceled by request',
      });
      return { ...subject, build: ended.build, job: (await rereadJob(context, job.id)) ?? job };
    }
    await context.db
      .updateTable('jobs')
      .set(jobPatch(move.to, { now: context.now, expiresAt: context.now }))
      .where('id', '=', job.id)
      .where('state', '=', job.state)
      .execute();
    recordJobChange(context, job, 'cancel', move.to, 'canceled by request');
    return { ...subject, job: (await rereadJob(context, job.id)) ?? job };
  },
});
