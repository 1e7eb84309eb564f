import { z } from 'zod';
import { transitionAgent } from '../../domain/agents/agent-state.js';
import type { AgentRow } from '../../entities/database.js';
import { defineOperation } from '../../core/operation.js';
import { heardAt } from '../../resources/agents/heard.js';
import { ownAgent } from '../../resources/agents/own-agent.js';
import { recordAgentChange } from '../../engine/agents/record-agent-change.js';

/** POST connect: marks an agent as connected. Repeating it is harmless; it does not undo a requested stop. */
export const connectAgent = defineOperation({
  name: 'agent.connect',
  summary: 'Connects an agent.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({}),
  subject: (context) => ownAgent(context, { lock: true }),
  run: async (context, _input, { agent }): Promise<AgentRow> => {
    const move = transitionAgent(agent.connectionState, 'connect');
    const connected = await context.db
      .updateTable('agents')
      .set({
        ...heardAt(context.now),
        ipAddress: context.request.ipAddress ?? agent.ipAddress,
        ...(move.kind === 'moved' ? { connectionState: move.to, connectedAt: context.now } : {}),
      })
      .where('id', '=', agent.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (move.kind === 'moved') recordAgentChange(context, connected, 'connect', agent.connectionState, null);
    return connected;
  },
});
