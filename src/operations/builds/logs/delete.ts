import { z } from 'zod';
import { Problem, wrongState } from '../../../domain/problem.js';
import { isSettled } from '../../../domain/builds/job-state.js';
import { logFolder } from '../../../storage/logs/chunk-index.js';
import { jobAddress } from '../../../core/address.js';
import { findJob } from '../../../core/find.js';
import { logRef } from '../../../resources/builds/logs/log-store.js';
import { defineOperation } from '../../../core/operation.js';
import { changeJobs } from '../../../engine/state/jobs.js';
import type { JobSubject } from '../../../core/subject.js';

/** DELETE log: empties the log of an ended job; its bytes are deleted after the commit. */
export const deleteJobLog = defineOperation({
  name: 'job.log.delete',
  summary: 'Deletes the log of a job.',
  kind: 'command',
  scope: 'write_build_logs',
  access: 'build',
  input: z.object({ job: jobAddress }),
  subject: (context, { job }) => findJob(context, job, { lock: true }),
  run: async (context, _input, subject): Promise<JobSubject> => {
    const { job } = subject;
    // Only command jobs have logs; waits, blocks and triggers have none to delete.
    if (job.type !== 'command') throw new Problem('not_found', 'Not Found');
    if (job.startedAt !== null && !isSettled(job.state))
      throw wrongState('The log of a job that is running cannot be deleted');
    await context.db.deleteFrom('log_chunks').where('jobId', '=', job.id).execute();
    await context.db.deleteFrom('log_usage').where('jobId', '=', job.id).execute();
    await context.db.deleteFrom('log_header_times').where('jobId', '=', job.id).execute();
    // Behind the usage: who writes filters or the extract, holds it.
    await context.db.deleteFrom('log_filters').where('jobId', '=', job.id).execute();
    await context.db.deleteFrom('log_extracts').where('jobId', '=', job.id).execute();
    const deleted = { logDeletedAt: context.now, logSize: 0 };
    await changeJobs(context, [job.id], deleted);
    context.send({
      topic: 'objects.delete',
      organizationId: job.organizationId,
      payload: { prefixes: [logFolder(logRef(job))] },
    });
    context.record({
      organizationId: job.organizationId,
      subject: 'job',
      subjectId: job.id,
      pipelineId: job.pipelineId,
      buildId: job.buildId,
      jobId: job.id,
      type: 'job.log_deleted',
    });
    return { ...subject, job: { ...job, ...deleted } };
  },
});
