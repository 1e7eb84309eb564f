import { z } from 'zod';
import { defineOperation } from '../../core/operation.js';
import { ownAgent } from '../../resources/agents/own-agent.js';
import { hearAgent } from '../../engine/state/agents.js';

/** POST heartbeat: records a sign of life. A lost agent that was only cut off becomes connected again. */
export const heartbeatAgent = defineOperation({
  name: 'agent.heartbeat',
  summary: 'Records a heartbeat of an agent.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({}),
  subject: (context) => ownAgent(context, { lock: true }),
  run: async (context, _input, { agent }): Promise<{ receivedAt: Date }> => {
    await hearAgent(context, agent, 'heartbeat', { reason: 'heartbeat' });
    return { receivedAt: context.now };
  },
});
