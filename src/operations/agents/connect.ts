import { z } from 'zod';
import { transitionAgent } from '../../domain/agent-state.js';
import type { AgentRow } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import { ownAgent } from './own-agent.js';
import { recordAgentChange } from './record-agent-change.js';

/** POST connect (agent-protocol 4.2). Again is fine; while the agent is to stop it undoes nothing. */
export const connectAgent = defineOperation({
  name: 'agent.connect',
  summary: 'Says that an agent is there.',
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
        heartbeatAt: context.now,
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
