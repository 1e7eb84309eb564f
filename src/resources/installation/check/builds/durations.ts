import { isBuildFinished } from '../../../../domain/builds/build-state.js';
import { isTerminal } from '../../../../domain/builds/job-state.js';
import { notBefore } from '../../../../domain/builds/job-columns.js';
import { timesOutOfOrder } from '../../../../domain/builds/promises.js';
import { changeBuild } from '../../../../engine/state/builds.js';
import { changeJobs } from '../../../../engine/state/jobs.js';
import type { Problem } from '../check.js';
import type { CheckedBuild } from './facts.js';
import type { BuildRule } from './rule.js';

const jobTimes = ['createdAt', 'runnableAt', 'assignedAt', 'acceptedAt', 'startedAt', 'finishedAt'] as const;
const buildTimes = ['createdAt', 'startedAt', 'finishedAt'] as const;
type Stamps = Partial<Record<Exclude<(typeof jobTimes)[number], 'createdAt'>, Date | null>> & { createdAt?: Date };

/** I20, and that what has ended, and nothing else, has an end (I4). */
export const durations: BuildRule = {
  name: 'durations',
  problems: ({ build, jobs, name }) => [
    ...problemsOf(name, build, endOfBuild({ build, jobs }), buildTimes),
    ...jobs.flatMap((job) => problemsOf(`job ${job.id} of ${name}`, job, endOfJob(job), jobTimes)),
  ],
  mend: async (context, { jobs }, build) => {
    for (const job of jobs) {
      const set = corrected(job, endOfJob(job), jobTimes);
      if (Object.keys(set).length > 0) await changeJobs(context, [job.id], set);
    }
    const set = corrected(build, endOfBuild({ build, jobs }), buildTimes);
    if (Object.keys(set).length > 0) await changeBuild(context, build, set);
  },
};

/** The end that a row should have: its own, or the latest of its other times where it has ended without one. */
function endOfJob(job: CheckedBuild['jobs'][number]): Date | null {
  if (!isTerminal(job.state)) return null;
  return job.finishedAt ?? notBefore(job.createdAt, ...jobTimes.map((name) => job[name]));
}

function endOfBuild({ build, jobs }: Pick<CheckedBuild, 'build' | 'jobs'>): Date | null {
  if (!isBuildFinished(build.state)) return null;
  return build.finishedAt ?? notBefore(build.createdAt, build.startedAt, ...jobs.map(({ finishedAt }) => finishedAt));
}

function corrected<Name extends (typeof jobTimes)[number]>(
  row: Record<Name, Date | null>,
  end: Date | null,
  names: readonly Name[],
): Stamps {
  const times = { ...row, finishedAt: end };
  const changes: Stamps = timesOutOfOrder(names.map((name) => [name, times[name]] as const));
  if (row['finishedAt' as Name]?.getTime() !== end?.getTime() && !('finishedAt' in changes)) changes.finishedAt = end;
  return changes;
}

function problemsOf<Name extends (typeof jobTimes)[number]>(
  subject: string,
  row: Record<Name, Date | null> & { state: string },
  end: Date | null,
  names: readonly Name[],
): Problem[] {
  return Object.entries(corrected(row, end, names)).map(([name, time]) => {
    const stored = row[name as Name];
    const isEnd = name === 'finishedAt' && (stored === null || time === null);
    return {
      promise: isEnd ? 'I4' : 'I20',
      subject,
      is: `${row.state} with ${name} ${stored?.toISOString() ?? 'not set'}`,
      expected: time === null ? `no ${name} yet` : `not before ${time.toISOString()}`,
      remedy: time === null ? `removed ${name}` : `set ${name} to ${time.toISOString()}`,
    };
  });
}
