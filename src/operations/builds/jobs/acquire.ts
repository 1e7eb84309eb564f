import type { Context } from '../../../request/context.js';
import { pingIntervalSeconds } from '../../../domain/agents/agent-state.js';
import { lastStamp, notBefore } from '../../../domain/builds/job-columns.js';
import { isActive, isTerminal, transition } from '../../../domain/builds/job-state.js';
import { Problem, wrongState } from '../../../domain/problem.js';
import type { AgentRow, BuildRow, JobRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { moveJob } from '../../../engine/state/jobs.js';
import type { Subject } from '../../../core/subject.js';
import { type AcceptedJob, acceptedJob } from '../../../resources/builds/jobs/accepted-job.js';
import { acceptJob } from './accept.js';
import { callingSession, jobInput, lockJobForAgent } from '../../../resources/builds/jobs/held-job.js';
import { isPaused } from '../../../engine/agents/pause-state.js';
import { heldBy } from '../../../engine/agents/release-from-agent.js';

interface Acquirable extends Subject {
  job: JobRow;
  build: BuildRow;
}

/**
 * PUT acquire: an agent takes the job it was started for, without an offer. Throws `locked` (423) while the job still
 * waits or the agent is paused, 422 if the job can no longer be taken.
 */
export const acquireJob = defineOperation({
  name: 'job.acquire',
  summary: 'Acquires a specific job for an agent.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: jobInput,
  subject: async (context, { job }): Promise<Acquirable | null> => {
    callingSession(context);
    return lockJobForAgent(context, job);
  },
  run: async (context, input, { job, build }): Promise<AcceptedJob> => {
    const session = callingSession(context);
    if (job.agentId === session.id && (job.state === 'assigned' || job.state === 'accepted')) {
      return acceptJob.run(context, input, { job, build, agent: session });
    }
    if (isTerminal(job.state) || isActive(job.state))
      throw wrongState(`The job cannot be acquired: its state is ${job.state}`);
    const notYet = () =>
      new Problem('locked', `The job cannot be acquired yet: its state is ${job.state}`, {
        retryAfter: pingIntervalSeconds,
      });
    if (transition(job.type, job.state, 'acquire').kind !== 'moved') throw notYet();
    const agent = await freeAgent(context, session);
    const acquired = await moveJob(context, job, 'acquire', {
      reason: 'acquired by an agent',
      set: {
        agentId: agent.id,
        attempt: job.attempt + 1,
        uploadCount: build.uploadCount,
        assignedAt: notBefore(context.now, lastStamp(job)),
      },
      where: { attempt: job.attempt },
    });
    if (acquired.kind !== 'moved') throw notYet();
    return acceptedJob(context, { job: acquired.job, build }, agent);
  },
});

/** Locks the agent's row and returns it if it may take a job; an agent holds at most one. */
async function freeAgent(context: Context, { id }: AgentRow): Promise<AgentRow> {
  const agent = await context.db.selectFrom('agents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (agent?.connectionState !== 'connected') throw wrongState('The agent is not connected');
  if (await heldBy(context, id)) throw wrongState('The agent holds another job');
  // Agents ask again for some minutes, in which they stay alive; 422 would end them.
  if (isPaused(agent, context.now))
    throw new Problem('locked', 'The job cannot be acquired yet: the agent is paused', {
      retryAfter: pingIntervalSeconds,
    });
  return agent;
}
