import { z } from 'zod';
import { limits } from '../../domain/limits.js';
import { Problem, wrongState } from '../../domain/problem.js';
import { failureKind, failureKinds, readFailureKinds } from '../../domain/retry-failed.js';
import type { JobRow } from '../../entities/database.js';
import { buildAddress } from '../address.js';
import { findBuild } from '../find.js';
import { retryPolicy } from '../jobs/retry-policy.js';
import { defineOperation } from '../operation.js';
import { advanceBuild } from '../scheduling/advance-build.js';
import { insertRetry } from '../scheduling/insert-retry.js';
import type { BuildSubject } from '../subject.js';

export interface RetriedBuild extends BuildSubject {
  retriedJobsCount: number;
}

const words = z.string().max(limits.filterLength);

/**
 * PUT retry_failed_jobs (rest-facts 2.2.3): every job that failed in one of the ways named, and that a person may
 * retry, gets a new attempt, all under one lock and as one change of the build.
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
    if ('unknown' in read) throw new Problem('malformed', `Invalid states: ${read.unknown}. Valid states are ${failureKinds.join(', ')}.`);
    const jobs = await context.db.selectFrom('jobs').selectAll().where('buildId', '=', build.id).orderBy('position').orderBy('id').execute();
    const failed = jobs.filter((job) => !job.retried && read.kinds.has(failureKind(job) as never));
    const problemOf = await retryPolicy(context, build);
    const retried: JobRow[] = [];
    for (const job of failed) {
      const problem = await problemOf(job);
      // A reason that is the build's stands for all of them; a step that forbids retries stands for its own jobs.
      if (problem?.kind === 'build') throw wrongState(problem.message);
      if (problem === null) retried.push(job);
    }
    if (jobs.length + retried.length > limits.jobsPerBuild) throw wrongState(`A build may have at most ${limits.jobsPerBuild} jobs; this one would have ${jobs.length + retried.length}.`);
    for (const job of retried) await insertRetry(context, job, { type: 'manual', ruleUses: job.retryRuleUses });
    const advanced = retried.length > 0 ? await advanceBuild(context, build, { reason: 'retry' }) : build;
    return { ...subject, build: advanced, retriedJobsCount: retried.length };
  },
});
