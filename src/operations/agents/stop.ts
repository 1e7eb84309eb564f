import { z } from 'zod';
import type { Context } from '../../context.js';
import { transitionAgent } from '../../domain/agent-state.js';
import { buildCancelProblem } from '../../domain/build-state.js';
import { transition } from '../../domain/job-state.js';
import { Problem } from '../../domain/problem.js';
import type { AgentRow, BuildRow, JobRow } from '../../entities/database.js';
import { lockJobOfAgent } from '../jobs/release-from-agent.js';
import { requeueJob } from '../jobs/requeue-job.js';
import { defineOperation } from '../operation.js';
import { advanceBuild } from '../scheduling/advance-build.js';
import { recordJobChange } from '../scheduling/apply-changes.js';
import { jobPatch } from '../scheduling/job-patch.js';
import type { AgentSubject } from '../subject.js';
import { agentInput, namedAgent } from './named-agent.js';
import { lockAgent } from './own-agent.js';
import { recordAgentChange } from './record-agent-change.js';

/**
 * Asks an agent to stop: its next ping is answered with `disconnect` (rest-facts 3.1, agent-protocol 4.6). With
 * `force` its job is canceled: by a user together with its build, from inside a job alone. Again is fine, so that a
 * graceful stop can become a forced one.
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
    if (!own || !state || transitionAgent(state, 'stop').kind === 'refused') throw new Problem('not_applicable', 'Can only stop connected agents');
    const agent = await askToStop(context, own.agent, force ?? false);
    if (held) await giveUpJob(context, held, force ?? false);
    return { ...subject, agent };
  },
});

async function askToStop(context: Context, agent: AgentRow, force: boolean): Promise<AgentRow> {
  const asked = await context.db
    .updateTable('agents')
    .set({
      connectionState: 'stopping',
      ...(force ? { stopForcedAt: agent.stopForcedAt ?? context.now, stopForcedById: agent.stopForcedById ?? context.userId } : {}),
      ...(force ? {} : { stoppedGracefullyAt: agent.stoppedGracefullyAt ?? context.now, stoppedGracefullyById: agent.stoppedGracefullyById ?? context.userId }),
    })
    .where('id', '=', agent.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  recordAgentChange(context, asked, 'stop', agent.connectionState, force ? 'forced' : 'graceful');
  return asked;
}

/** An offer that was not taken goes to another agent; a job that was taken ends first, unless stopping is forced. */
async function giveUpJob(context: Context, { job, build }: { job: JobRow; build: BuildRow }, force: boolean): Promise<void> {
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
