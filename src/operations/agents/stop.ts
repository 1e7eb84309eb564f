import { z } from 'zod';
import type { Context } from '../../context.js';
import { transitionAgent } from '../../domain/agents/agent-state.js';
import { buildCancelProblem } from '../../domain/builds/build-state.js';
import { transition } from '../../domain/builds/job-state.js';
import { Problem } from '../../domain/problem.js';
import type { AgentRow, BuildRow, JobRow } from '../../entities/database.js';
import { lockJobOfAgent } from '../../engine/agents/release-from-agent.js';
import { requeueJob } from '../../engine/agents/requeue-job.js';
import { defineOperation } from '../../core/operation.js';
import { advanceBuild } from '../../engine/builds/advance-build.js';
import { recordJobChange } from '../../engine/builds/apply-changes.js';
import { jobPatch } from '../../engine/builds/job-patch.js';
import type { AgentSubject } from '../../core/subject.js';
import { agentInput, namedAgent } from '../../resources/agents/named-agent.js';
import { lockAgent } from '../../resources/agents/own-agent.js';
import { recordAgentChange } from '../../engine/agents/record-agent-change.js';

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
    const held = await lockJobOfAgent(context, subject.agent.id);
    const own = await lockAgent(context, subject.agent.id);
    const state = own?.agent.connectionState;
    if (!own || !state || transitionAgent(state, 'stop').kind === 'refused')
      throw new Problem('not_applicable', 'Can only stop connected agents');
    const agent = await askToStop(context, own.agent, force ?? false);
    if (held) await giveUpJob(context, held, force ?? false);
    return { ...subject, agent };
  },
});

async function askToStop(context: Context, agent: AgentRow, force: boolean): Promise<AgentRow> {
  const stopping = await context.db
    .updateTable('agents')
    .set({
      connectionState: 'stopping',
      ...(force
        ? { stopForcedAt: agent.stopForcedAt ?? context.now, stopForcedById: agent.stopForcedById ?? context.userId }
        : {}),
      ...(force
        ? {}
        : {
            stoppedGracefullyAt: agent.stoppedGracefullyAt ?? context.now,
            stoppedGracefullyById: agent.stoppedGracefullyById ?? context.userId,
          }),
    })
    .where('id', '=', agent.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  recordAgentChange(context, stopping, 'stop', agent.connectionState, force ? 'forced' : 'graceful');
  return stopping;
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
    const requested = await context.db
      .updateTable('builds')
      .set({ cancelRequestedAt: context.now, canceledById: context.userId, cancelReason: 'its agent was stopped' })
      .where('id', '=', build.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await advanceBuild(context, requested, { reason: 'its agent was stopped' });
    return;
  }
  const move = transition(job.type, job.state, 'cancel');
  if (move.kind !== 'moved') return;
  await context.db
    .updateTable('jobs')
    .set({ ...jobPatch(move.to, { now: context.now, expiresAt: context.now }), canceledById: context.userId })
    .where('id', '=', job.id)
    .where('state', '=', job.state)
    .execute();
  recordJobChange(context, job, 'cancel', move.to, 'its agent was stopped');
}
