import { z } from 'zod';
import type { Context } from '../../request/context.js';
import { buildCancelProblem } from '../../domain/builds/build-state.js';
import { Problem } from '../../domain/problem.js';
import type { AgentRow, BuildRow, JobRow } from '../../entities/database.js';
import { lockJobOfAgent, requeueJob } from '../../engine/agents/release-from-agent.js';
import { defineOperation } from '../../core/operation.js';
import { requestCancel } from '../../engine/builds/request-cancel.js';
import type { AgentSubject } from '../../core/subject.js';
import { agentInput, namedAgent } from '../../resources/agents/named-agent.js';
import { lockAgent } from '../../resources/agents/own-agent.js';
import { changeAgent, moveAgent, noteAgent } from '../../engine/state/agents.js';
import { moveJob } from '../../engine/state/jobs.js';

/**
 * Asks an agent to stop: its next ping is answered with `disconnect`. With `force` its job is canceled too: by a user
 * together with the build, from inside a job alone. May be repeated, so that a graceful stop can become a forced one.
 */
export const stopAgent = defineOperation({
  name: 'agent.stop',
  summary: 'Asks an agent to stop.',
  kind: 'command',
  scope: 'write_agents',
  access: 'member',
  refusal: 'sentence',
  input: agentInput.extend({ force: z.boolean().nullish() }),
  subject: (context, { agent }) => namedAgent(context, agent),
  run: async (context, { force }, subject): Promise<AgentSubject> => {
    const job = await lockJobOfAgent(context, subject.agent.id);
    const own = await lockAgent(context, subject.agent.id);
    const agent = own && (await askToStop(context, own.agent, force ?? false));
    if (!agent) throw new Problem('not_applicable', 'Can only stop connected agents');
    if (job) await giveUpJob(context, job, force ?? false);
    return { ...subject, agent };
  },
});

/** Null for an agent that cannot be stopped. */
async function askToStop(context: Context, agent: AgentRow, force: boolean): Promise<AgentRow | null> {
  const { now, userId } = context;
  const set = force
    ? { stopForcedAt: agent.stopForcedAt ?? now, stopForcedById: agent.stopForcedById ?? userId }
    : {
        stoppedGracefullyAt: agent.stoppedGracefullyAt ?? now,
        stoppedGracefullyById: agent.stoppedGracefullyById ?? userId,
      };
  const reason = force ? 'forced' : 'graceful';
  const move = await moveAgent(context, agent, 'stop', { reason, set });
  if (move.kind === 'moved') return move.agent;
  if (move.kind === 'refused') return null;
  const changed = await changeAgent(context, agent, set);
  noteAgent(context, changed, 'stop', reason);
  return changed;
}

/** Returns an untaken offer to the queue. A job the agent has taken ends first, unless the stop is forced. */
async function giveUpJob(
  context: Context,
  { job, build }: { job: JobRow; build: BuildRow },
  force: boolean,
): Promise<void> {
  if (job.state === 'assigned') {
    await requeueJob(context, job, 'its agent is stopping');
    return;
  }
  if (!force) return;
  if (context.actor.kind === 'user' && buildCancelProblem(build.state) === null) {
    await requestCancel(context, build, 'its agent was stopped');
    return;
  }
  await moveJob(context, job, 'cancel', { reason: 'its agent was stopped' });
}
