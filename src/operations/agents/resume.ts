import { wrongState } from '../../domain/problem.js';
import { defineOperation } from '../../core/operation.js';
import type { AgentSubject } from '../../core/subject.js';
import { agentInput, namedAgent } from '../../resources/agents/named-agent.js';
import { lockAgent } from '../../resources/agents/own-agent.js';
import { isPaused, notPaused } from '../../engine/agents/pause-state.js';
import { changeAgent, noteAgent } from '../../engine/state/agents.js';

/** Resumes a paused agent. */
export const resumeAgent = defineOperation({
  name: 'agent.resume',
  summary: 'Resumes a paused agent.',
  kind: 'command',
  scope: 'write_agents',
  access: 'member',
  refusal: 'sentence',
  input: agentInput,
  subject: (context, { agent }) => namedAgent(context, agent),
  run: async (context, _input, subject): Promise<AgentSubject> => {
    const own = await lockAgent(context, subject.agent.id);
    if (!own || !isPaused(own.agent, context.now)) throw wrongState('Agent is not paused');
    const agent = await changeAgent(context, own.agent, notPaused);
    noteAgent(context, agent, 'resume', 'resumed by request');
    return { ...subject, agent };
  },
});
