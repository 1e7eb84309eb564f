import { z } from 'zod';
import { defineOperation } from '../../core/operation.js';
import { lockJobOfAgent, releaseFromAgent } from '../../engine/agents/release-from-agent.js';
import { lockAgent, ownAgent } from '../../resources/agents/own-agent.js';
import { moveAgent } from '../../engine/state/agents.js';

/** POST disconnect: ends the agent's session for good and releases the job it still holds. */
export const disconnectAgent = defineOperation({
  name: 'agent.disconnect',
  summary: 'Ends the session of an agent.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({}),
  subject: (context) => ownAgent(context),
  run: async (context, _input, { agent: { id } }): Promise<void> => {
    const job = await lockJobOfAgent(context, id);
    if (job) await releaseFromAgent(context, job, 'its agent disconnected');
    const own = await lockAgent(context, id);
    if (own) await moveAgent(context, own.agent, 'disconnect', { reason: null });
  },
});
