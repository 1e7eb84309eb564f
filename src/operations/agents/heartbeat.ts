import { z } from 'zod';
import { transitionAgent } from '../../domain/agents/agent-state.js';
import { defineOperation } from '../../core/operation.js';
import { heardAt } from '../../resources/agents/heard.js';
import { ownAgent } from '../../resources/agents/own-agent.js';
import { recordAgentChange } from '../../engine/agents/record-agent-change.js';

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
    const move = transitionAgent(agent.connectionState, 'heartbeat');
    const state = move.kind === 'moved' ? move.to : agent.connectionState;
    await context.db
      .updateTable('agents')
      .set({ ...heardAt(context.now), connectionState: state })
      .where('id', '=', agent.id)
      .execute();
    if (move.kind === 'moved')
      recordAgentChange(context, { ...agent, connectionState: state }, 'return', agent.connectionState, 'heartbeat');
    return { receivedAt: context.now };
  },
});
