import { z } from 'zod';
import { Problem, wrongState } from '../../domain/problem.js';
import { isSettled } from '../../domain/job-state.js';
import { logFolder } from '../../storage/logs/chunk-index.js';
import { jobAddress } from '../address.js';
import { findJob, rereadJob } from '../find.js';
import { logRef } from '../logs/log-store.js';
import { defineOperation } from '../operation.js';
import type { JobSubject } from '../subject.js';

/** DELETE log (api-v2.md): the log of a job that has ended is empty from now on; its bytes are collected after the commit. */
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
    // Waiters, blocks and triggers write no log: there is none to read, so none to delete (compatibility 23).
    if (job.type !== 'command') throw new Problem('not_found', 'Not Found');
    if (job.startedAt !== null && !isSettled(job.state)) throw wrongState('The log of a job that is running cannot be deleted');
    await context.db.deleteFrom('log_chunks').where('jobId', '=', job.id).execute();
    await context.db.deleteFrom('log_usage').where('jobId', '=', job.id).execute();
    await context.db.deleteFrom('log_header_times').where('jobId', '=', job.id).execute();
    await context.db.updateTable('jobs').set({ logDeletedAt: context.now, logSize: 0 }).where('id', '=', job.id).execute();
    context.send({ topic: 'objects.delete', organizationId: job.organizationId, payload: { prefixes: [logFolder(logRef(job))] } });
    context.record({ organizationId: job.organizationId, subject: 'job', subjectId: job.id, pipelineId: job.pipelineId, buildId: job.buildId, jobId: job.id, type: 'job.log_deleted' });
    return { ...subject, job: (await rereadJob(context, job.id)) ?? job };
  },
});
