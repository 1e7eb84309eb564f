import { z } from 'zod';
import { limits } from '../../domain/limits/limits.js';
import { Problem, wrongState } from '../../domain/problem.js';
import { failureKind, failureKinds, readFailureKinds } from '../../domain/builds/retry-failed.js';
import { buildAddress } from '../../core/address.js';
import { findBuild } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import { retryJobs } from '../../engine/builds/retry-jobs.js';
import type { BuildSubject } from '../../core/subject.js';

export interface RetriedBuild extends BuildSubject {
  retriedJobsCount: number;
}

const words = z.string().max(limits.filterLength);

/**
 * PUT retry_failed_jobs: creates a new attempt of every job that failed in one of the named ways and may be retried by
 * hand, under one lock and as one change of the build.
 */
export const retryFailedJobs = defineOperation({
  name: 'build.retry-failed-jobs',
  summary: 'Retries all failed jobs of a build.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  input: z.object({ build: buildAddress, states: words.or(z.array(words).max(limits.filterValues)).nullish() }),
  subject: (context, { build }) => findBuild(context, build, { lock: true }),
  run: async (context, { states }, subject): Promise<RetriedBuild> => {
    const { build } = subject;
    const read = readFailureKinds(states);
    if ('unknown' in read)
      throw new Problem('malformed', `Invalid states: ${read.unknown}. Valid states are ${failureKinds.join(', ')}.`);
    const jobs = await context.db
      .selectFrom('jobs')
      .selectAll()
      .where('buildId', '=', build.id)
      .orderBy('position')
      .orderBy('id')
      .execute();
    const failed = jobs.filter((job) => {
      const kind = failureKind(job);
      return !job.retried && kind !== null && read.kinds.has(kind);
    });
    const result = await retryJobs(context, build, failed);
    if ('problem' in result) throw wrongState(result.problem);
    return { ...subject, build: result.build, retriedJobsCount: result.count };
  },
});
