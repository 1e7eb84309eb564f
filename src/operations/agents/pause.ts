import { z } from 'zod';
import { wrongState } from '../../domain/problem.js';
import { limits } from '../../domain/limits/limits.js';
import { lockJobOfAgent, requeueJob } from '../../engine/agents/release-from-agent.js';
import { defineOperation } from '../../core/operation.js';
import type { AgentSubject } from '../../core/subject.js';
import { agentInput, namedAgent } from '../../resources/agents/named-agent.js';
import { lockAgent } from '../../resources/agents/own-agent.js';
import { isPaused } from '../../engine/agents/pause-state.js';
import { changeAgent, noteAgent } from '../../engine/state/agents.js';

const defaultTimeoutInMinutes = 5;

/**
 * Pauses an agent: it stays connected and gets no new job until it is resumed or the timeout passes. Its current job
 * goes on.
 */
export const pauseAgent = defineOperation({
  name: 'agent.pause',
  summary: 'Pauses an agent.',
  kind: 'command',
  scope: 'write_agents',
  access: 'member',
  refusal: 'sentence',
  input: agentInput.extend({
    note: z.string().max(limits.descriptionLength).nullish(),
    timeoutInMinutes: z.number().int().min(1).max(limits.timeoutMinutes).nullish(),
  }),
  subject: (context, { agent }) => namedAgent(context, agent),
  run: async (context, { note, timeoutInMinutes }, subject): Promise<AgentSubject> => {
    const job = await lockJobOfAgent(context, subject.agent.id);
    const own = await lockAgent(context, subject.agent.id);
    if (!own || own.agent.connectionState !== 'connected') throw wrongState('Only connected agents may be paused');
    if (isPaused(own.agent, context.now)) throw wrongState('Agent is already paused');
    if (job?.job.state === 'assigned') await requeueJob(context, job.job, 'its agent was paused');
    const agent = await changeAgent(context, own.agent, {
      pausedAt: context.now,
      pausedById: context.userId,
      pausedNote: note || null,
      pausedTimeoutInMinutes: timeoutInMinutes ?? defaultTimeoutInMinutes,
    });
    noteAgent(context, agent, 'pause', agent.pausedNote);
    return { ...subject, agent };
  },
});
