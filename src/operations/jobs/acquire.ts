import type { Context } from '../../context.js';
import { isActive, isTerminal, transition } from '../../domain/job-state.js';
import { Problem, wrongState } from '../../domain/problem.js';
import type { AgentRow, BuildRow, JobRow } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import { recordJobChange } from '../scheduling/apply-changes.js';
import { jobPatch, lastStamp, notBefore, pingIntervalSeconds } from '../scheduling/job-patch.js';
import type { Subject } from '../subject.js';
import { type AcceptedJob, acceptedJob } from './accepted-job.js';
import { acceptJob } from './accept.js';
import { callingSession, jobInput, lockJobForAgent } from './held-job.js';
import { heldBy } from './release-from-agent.js';

interface Acquirable extends Subject {
  job: JobRow;
  build: BuildRow;
}

/**
 * PUT acquire (agent-protocol 5.2): an agent takes the one job it was started for, without an offer. 423 while the
 * job still waits for something, 422 when it is not to be had any more.
 */
export const acquireJob = defineOperation({
  name: 'job.acquire',
  summary: 'Takes a specific job.',
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
    if (isTerminal(job.state) || isActive(job.state)) throw wrongState(`The job cannot be acquired: its state is ${job.state}`);
    const move = transition(job.type, job.state, 'acquire');
    if (move.kind !== 'moved') throw new Problem('locked', `The job cannot be acquired yet: its state is ${job.state}`, { retryAfter: pingIntervalSeconds });
    const agent = await freeAgent(context, session);
    const acquired = await context.db
      .updateTable('jobs')
      .set({ ...jobPatch(move.to, { now: context.now, expiresAt: context.now, since: lastStamp(job) }), agentId: agent.id, attempt: job.attempt + 1, assignedAt: notBefore(context.now, lastStamp(job)) })
      .where('id', '=', job.id)
      .where('state', '=', job.state)
      .where('attempt', '=', job.attempt)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordJobChange(context, acquired, 'acquire', move.to, 'acquired by an agent');
    return acceptedJob(context, acquired, agent);
  },
});

/** The agent under its row lock, if it may take a job; it has at most one at a time. */
async function freeAgent(context: Context, { id }: AgentRow): Promise<AgentRow> {
  const agent = await context.db.selectFrom('agents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (agent?.connectionState !== 'connected') throw wrongState('The agent is not connected');
  if (await heldBy(context, id)) throw wrongState('The agent holds another job');
  return agent;
}
