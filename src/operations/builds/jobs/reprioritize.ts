import { z } from 'zod';
import { largestInteger, smallestInteger } from '../../../domain/integer-column.js';
import { isSettled } from '../../../domain/builds/job-state.js';
import { Problem, wrongState } from '../../../domain/problem.js';
import { jobAddress } from '../../../core/address.js';
import { findJob } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { changeJobs } from '../../../engine/state/jobs.js';
import type { JobSubject } from '../../../core/subject.js';

/**
 * PUT reprioritize: changes the priority of a job; higher ones are dispatched earlier. The priority is validated after
 * the job was found, because its refusal is a 400 with a wording of its own.
 */
export const reprioritizeJob = defineOperation({
  name: 'job.reprioritize',
  summary: 'Changes the priority of a job that has not started.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  input: z.object({ job: jobAddress, priority: z.unknown().meta({ type: 'integer' }) }),
  subject: (context, { job }) => findJob(context, job, { lock: true }),
  run: async (context, { priority }, subject): Promise<JobSubject> => {
    const { job } = subject;
    if (
      typeof priority !== 'number' ||
      !Number.isInteger(priority) ||
      priority < smallestInteger ||
      priority > largestInteger
    )
      throw new Problem('malformed', 'Priority must be an integer');
    if (job.type !== 'command') throw new Problem('not_applicable', 'This job type cannot be reprioritized');
    if (job.startedAt !== null || isSettled(job.state))
      throw wrongState(`Job can't be reprioritized because its state is ${job.state}`);
    if (priority === job.priority) return subject;
    await changeJobs(context, [job.id], { priority }, { state: job.state });
    context.record({
      organizationId: job.organizationId,
      subject: 'job',
      subjectId: job.id,
      pipelineId: job.pipelineId,
      buildId: job.buildId,
      jobId: job.id,
      type: 'job.reprioritize',
      data: { from: job.priority, to: priority },
    });
    return { ...subject, job: { ...job, priority } };
  },
});
