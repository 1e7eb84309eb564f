import { liveAgentStates } from '../../../../domain/agents/agent-state.js';
import { isActive } from '../../../../domain/builds/job-state.js';
import { jobDeadline, jobExpiryMinutes } from '../../../../domain/builds/timeouts.js';
import { releaseFromAgent } from '../../../../engine/agents/release-from-agent.js';
import { endJob } from '../../../../engine/builds/end-job.js';
import { lockJob } from '../../../../engine/builds/lock-job.js';
import { changeJobs } from '../../../../engine/state/jobs.js';
import type { Problem } from '../check.js';
import type { CheckedBuild } from './facts.js';
import type { BuildRule } from './rule.js';

type CheckedJob = CheckedBuild['jobs'][number];

const stuck = (job: CheckedJob, build: string, problem: Omit<Problem, 'promise' | 'subject'>): Problem => ({
  promise: 'I6',
  subject: `job ${job.id} of ${build}`,
  ...problem,
});

/** The deadline of a job that has none where its state has one. */
function missingDeadline(job: CheckedJob, now: Date, expiryInMinutes: number): Date | null {
  return job.deadlineAt === null ? jobDeadline({ ...job, expiryInMinutes }, job.state, now) : null;
}

/** What waits for something of the outside has a time at which it stops waiting. */
export const deadlinesOfJobs: BuildRule = {
  name: 'deadlines',
  problems: ({ jobs, name }, now) =>
    jobs
      .filter((job) => missingDeadline(job, now, jobExpiryMinutes) !== null)
      .map((job) =>
        stuck(job, name, {
          is: `${job.state} without a deadline`,
          expected: 'a deadline, after which it is not waited for any more',
          remedy: 'set its deadline, as if it had come to this state now',
        }),
      ),
  mend: async (context, { build, jobs }) => {
    const organization = await context.load.organization.load(build.organizationId);
    for (const job of jobs) {
      const deadlineAt = missingDeadline(
        job,
        context.now,
        organization?.scheduledJobExpiryInMinutes ?? jobExpiryMinutes,
      );
      if (deadlineAt !== null) await changeJobs(context, [job.id], { deadlineAt });
    }
  },
};

function abandonedJobs({ jobs, agents }: CheckedBuild): CheckedJob[] {
  return jobs.filter(({ type, state, agentId }) => {
    const agent = agentId === null ? undefined : agents.get(agentId);
    const isHeld = type === 'command' && isActive(state);
    return isHeld && (agent === undefined || !liveAgentStates.includes(agent));
  });
}

/** What an agent holds is held by one that lives: it leaves its job with its session. */
export const holdersOfJobs: BuildRule = {
  name: 'holders',
  problems: (facts) =>
    abandonedJobs(facts).map((job) => {
      const agent = job.agentId === null ? null : facts.agents.get(job.agentId);
      const holder = job.agentId === null ? 'no agent' : `agent ${job.agentId}, which is ${agent ?? 'not there'}`;
      return stuck(job, facts.name, {
        is: `${job.state} by ${holder}`,
        expected: 'held by an agent that is connected',
        remedy: job.startedAt === null ? 'gave it back to its queue' : 'ended it as that of a lost agent',
      });
    }),
  mend: async (context, facts) => {
    for (const { id } of abandonedJobs(facts)) {
      const locked = await lockJob(context, { id });
      if (locked) await releaseFromAgent(context, locked, 'its agent is not there any more');
      await context.flush();
    }
  },
};

const orphanedTriggers = ({ jobs, children }: CheckedBuild): CheckedJob[] =>
  jobs.filter(
    ({ type, state, triggeredBuildId }) =>
      type === 'trigger' && state === 'running' && !children.has(triggeredBuildId ?? ''),
  );

/** A trigger job that waits, waits for a build that exists. */
export const triggersOfJobs: BuildRule = {
  name: 'triggers',
  problems: (facts) =>
    orphanedTriggers(facts).map((job) =>
      stuck(job, facts.name, {
        is: `waiting for the build ${job.triggeredBuildId ?? 'that it has not noted'}, which does not exist`,
        expected: 'waiting for a build that exists',
        remedy: 'failed it',
      }),
    ),
  mend: async (context, facts) => {
    for (const { id } of orphanedTriggers(facts)) {
      const locked = await lockJob(context, { id });
      if (locked)
        await endJob(context, locked.build, locked.job, {
          event: 'fail',
          exitStatus: 1,
          reason: 'the triggered build does not exist any more',
        });
      await context.flush();
    }
  },
};
