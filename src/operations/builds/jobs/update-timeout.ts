import { z } from 'zod';
import { jobDeadline, jobExpiryMinutes, timeoutChangeProblem } from '../../../domain/builds/timeouts.js';
import { wrongState } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { changeJobs } from '../../../engine/state/jobs.js';
import { jobInput, lockHeldJob } from '../../../resources/builds/jobs/held-job.js';

/**
 * PUT job: a running job changes its own timeout, in minutes from its start: at most 60 more than it began with, and no
 * more than its pipeline and organization allow.
 */
export const updateJobTimeout = defineOperation({
  name: 'job.update-timeout',
  summary: 'Changes the timeout of a running job.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  /** The attributes of the request by name; each value is text. */
  input: jobInput.extend({ attributes: z.record(z.string().max(100), z.unknown()) }),
  subject: (context, { job }) => lockHeldJob(context, job),
  run: async (context, { attributes }, { job }): Promise<{ id: string }> => {
    const [name, ...others] = Object.keys(attributes);
    if (name !== 'timeout' || others.length > 0)
      throw wrongState(`Only the timeout of a job can be updated, not ${[name, ...others].join(', ') || 'nothing'}`);
    const minutes = /^\d{1,9}$/.test(String(attributes[name])) ? Number(attributes[name]) : NaN;
    const [pipeline, organization] = await Promise.all([
      context.uncheckedRows.pipeline.load(job.pipelineId),
      context.load.organization.load(job.organizationId),
    ]);
    const initial = job.initialTimeoutInMinutes ?? job.timeoutInMinutes ?? 0;
    const problem = timeoutChangeProblem(minutes, initial === 0 ? null : initial, {
      pipelineMaximumInMinutes: pipeline?.maximumTimeoutInMinutes ?? null,
      organizationMaximumInMinutes: organization?.maximumTimeoutInMinutes ?? null,
    });
    if (problem !== null) throw wrongState(problem);
    if (job.state !== 'running' || job.startedAt === null)
      throw wrongState(`The timeout cannot be updated: the job is ${job.state}`);
    const timed = { ...job, timeoutInMinutes: minutes, expiryInMinutes: jobExpiryMinutes };
    const deadlineAt = jobDeadline(timed, 'running', job.startedAt);
    await changeJobs(
      context,
      [job.id],
      { timeoutInMinutes: minutes, initialTimeoutInMinutes: initial, deadlineAt },
      { state: 'running' },
    );
    context.record({
      organizationId: job.organizationId,
      subject: 'job',
      subjectId: job.id,
      pipelineId: job.pipelineId,
      buildId: job.buildId,
      jobId: job.id,
      type: 'job.update_timeout',
      data: { from: job.timeoutInMinutes, to: minutes },
    });
    return { id: job.id };
  },
});
