import { isBuildFinished, stoppedBuildStates } from '../../../../domain/builds/build-state.js';
import { isTerminal } from '../../../../domain/builds/job-state.js';
import { schedule } from '../../../../domain/builds/schedule.js';
import type { Decision } from '../../../../domain/builds/schedule-facts.js';
import { applyRollup } from '../../../../engine/builds/advance-build.js';
import { queueJobChanges } from '../../../../engine/builds/apply-changes.js';
import { scheduleFacts } from '../../../../engine/builds/load-facts.js';
import type { Problem } from '../check.js';
import type { CheckedBuild } from './facts.js';
import type { BuildRule } from './rule.js';

/**
 * What the scheduler decides on the jobs as they are. It believes a state that says that the build was stopped; here
 * only the request to cancel it, and jobs that were all skipped, say so, or a wrong state would end the jobs.
 */
function decisionOf({ build, scheduled }: CheckedBuild): Decision {
  const { jobs } = scheduled;
  const isStopped =
    build.cancelRequestedAt !== null ||
    (build.state === 'skipped' && jobs.every((job) => isTerminal(job.state) && job.startedAt === null));
  const state = stoppedBuildStates.includes(build.state) && !isStopped ? 'running' : build.state;
  return schedule(scheduleFacts({ build: { ...build, state }, ...scheduled }));
}

/** I5, and that no decision of the scheduler is outstanding (I6), with the states that events name (I4). */
export const rollupOfJobs: BuildRule = {
  name: 'roll-up',
  problems: (facts) => {
    const { build, name } = facts;
    if (build.state === 'creating' || isInDeletion(facts)) return [];
    const decision = decisionOf(facts);
    if (decision.jobs.length > 0) return decision.jobs.map((change) => undecided(change, name));
    const { state, failing, blockedState } = decision.build;
    const stored = { state: build.state, failing: build.failing, blockedState: build.blockedState };
    const expected = { state, failing, blockedState };
    if (JSON.stringify(stored) !== JSON.stringify(expected))
      return [
        {
          promise: 'I5',
          subject: name,
          is: described(stored),
          expected: `${described(expected)}, by its ${facts.jobs.length} jobs`,
          remedy: `moved it to ${state}`,
        },
      ];
    return historyProblems(facts);
  },
  mend: async (context, facts, build) => {
    const { scheduled } = facts;
    const decision = decisionOf(facts);
    await queueJobChanges(context, { build, ...scheduled }, decision.jobs);
    await applyRollup(context, build, decision.build, 'slipway check');
  },
};

/**
 * A large build is deleted in batches, its steps before its jobs: nothing follows from the jobs that are left. (A job
 * whose step is lost otherwise is a finding among the references.)
 */
function isInDeletion({ build, scheduled: { steps, jobs } }: CheckedBuild): boolean {
  const ids = new Set(steps.map(({ id }) => id));
  const lacksSteps = jobs.some(({ stepId }) => !ids.has(stepId));
  return isBuildFinished(build.state) && (lacksSteps || jobs.length === 0);
}

const undecided = ({ id, event, to }: Decision['jobs'][number], build: string): Problem => ({
  promise: 'I6',
  subject: `job ${id} of ${build}`,
  is: 'waiting for a decision that nobody makes',
  expected: `${event}, and then ${to}`,
  remedy: 'had its build decided again',
});

const described = ({
  state,
  failing,
  blockedState,
}: {
  state: string;
  failing: boolean;
  blockedState: string | null;
}) =>
  `${state}${failing ? ', with a failed job' : ''}${blockedState === null ? '' : `, ${blockedState} behind its block`}`;

function historyProblems({ jobs, lastStates, name }: CheckedBuild): Problem[] {
  return jobs.flatMap((job) => {
    const last = lastStates.get(job.id);
    if (last === undefined || last === job.state) return [];
    return [
      {
        promise: 'I4',
        subject: `job ${job.id} of ${name}`,
        is: job.state,
        expected: `${last}, which its last event names`,
        remedy: null,
        advice: 'its state was changed past the program: cancel or retry the job where that is possible',
      },
    ];
  });
}
