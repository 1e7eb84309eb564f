import { retryProblems, type RetryProblem } from '../../../../domain/builds/promises.js';
import { isTerminal } from '../../../../domain/builds/job-state.js';
import { changeJobs } from '../../../../engine/state/jobs.js';
import type { Problem } from '../check.js';
import type { BuildRule } from './rule.js';

/** I14 with the counter along the path (I12). */
export const retriesInPaths: BuildRule = {
  name: 'retries',
  problems: ({ jobs, name }) => retryProblems(jobs).map((problem) => described(problem, name)),
  mend: async (context, { jobs }) => {
    for (const problem of retryProblems(jobs)) {
      const { id } = problem.job;
      if (problem.kind === 'wrong retry' && isMendable(problem))
        await changeJobs(context, [id], { retried: problem.retryId !== null, retriedInJobId: problem.retryId });
      if (problem.kind === 'wrong count') await changeJobs(context, [id], { retriesCount: problem.count || null });
      if (problem.kind === 'unknown source')
        await changeJobs(context, [id], { retrySourceId: null, retriesCount: null, retryType: null });
    }
  },
};

const isMendable = ({ job, retryId }: Extract<RetryProblem, { kind: 'wrong retry' }>) =>
  retryId === null || isTerminal(job.state);

function described(problem: RetryProblem, build: string): Problem {
  const { job } = problem;
  const subject = `job ${job.id} of ${build}`;
  const path = { promise: 'I14', subject };
  switch (problem.kind) {
    case 'wrong retry':
      return {
        ...path,
        is: job.retried ? `retried in ${job.retriedInJobId ?? 'no job'}` : 'not retried',
        expected: problem.retryId === null ? 'not retried: no job is its retry' : `retried in ${problem.retryId}`,
        remedy: isMendable(problem) ? 'took the retry from the job that is one' : null,
        advice: 'cancel one of the two jobs: the job was retried before it ended',
      };
    case 'retried twice':
      return {
        ...path,
        is: `retried in ${problem.retryIds.join(' and ')}`,
        expected: 'one retry at most',
        remedy: null,
        advice: 'decide which retry counts and set retry_source_id of the others to null',
      };
    case 'retried while it runs':
      return {
        ...path,
        is: `retried while it is ${job.state}`,
        expected: 'ended before its retry',
        remedy: null,
        advice: 'cancel the job',
      };
    case 'unknown source':
      return {
        ...path,
        is: `the retry of a job that its build does not have, or that follows from one`,
        expected: 'the retry of a job of the build',
        remedy: 'made it the first of its path',
      };
    case 'circle':
      return {
        ...path,
        is: 'a retry of itself',
        expected: 'a path of retries',
        remedy: null,
        advice: 'set retry_source_id of the first job of the circle to null',
      };
    case 'wrong count':
      return {
        promise: 'I12',
        subject,
        is: `counts ${job.retriesCount ?? 0} retries before it`,
        expected: String(problem.count),
        remedy: 'counted them',
      };
  }
}
