import { z } from 'zod';
import { transitionAgent } from '../../domain/agent-state.js';
import { defineOperation } from '../operation.js';
import { ownAgent } from './own-agent.js';
import { recordAgentChange } from './record-agent-change.js';

/** POST heartbeat (agent-protocol 4.3): a sign of life. An agent that was only cut off comes back with it. */
export const heartbeatAgent = defineOperation({
  name: 'agent.heartbeat',
  summary: 'Says that an agent is alive.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({}),
  subject: (context) => ownAgent(context, { lock: true }),
  run: async (context, _input, { agent }): Promise<{ receivedAt: Date }> => {
    const move = transitionAgent(agent.connectionState, 'heartbeat');
    const state = move.kind === 'moved' ? move.to : agent.connectionState;
    await context.db.updateTable('agents').set({ heartbeatAt: context.now, connectionState: state }).where('id', '=', agent.id).execute();
    if (move.kind === 'moved') recordAgentChange(context, { ...agent, connectionState: state }, 'return', agent.connectionState, 'heartbeat');
    return { receivedAt: context.now };
  },
});
