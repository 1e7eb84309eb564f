import { z } from 'zod';
import type { AgentRow } from '../../entities/database.js';
import { defineOperation } from '../../core/operation.js';
import { ownAgent } from '../../resources/agents/own-agent.js';
import { hearAgent } from '../../engine/state/agents.js';

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
  run: (context, _input, { agent }): Promise<AgentRow> =>
    hearAgent(context, agent, 'connect', {
      reason: null,
      set: { ipAddress: context.request.ipAddress ?? agent.ipAddress },
    }),
});
