import { z } from 'zod';
import { transitionAgent } from '../../domain/agents/agent-state.js';
import { defineOperation } from '../../core/operation.js';
import { lockJobOfAgent, releaseFromAgent } from '../../engine/agents/release-from-agent.js';
import { lockAgent, ownAgent } from '../../resources/agents/own-agent.js';
import { recordAgentChange } from '../../engine/agents/record-agent-change.js';

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
    const held = await lockJobOfAgent(context, id);
    if (held) await releaseFromAgent(context, held, 'its agent disconnected');
    const own = await lockAgent(context, id);
    if (!own) return;
    const move = transitionAgent(own.agent.connectionState, 'disconnect');
    if (move.kind !== 'moved') return;
    const gone = await context.db
      .updateTable('agents')
      .set({
        connectionState: move.to,
        sessionTokenHash: null,
        disconnectedAt: context.now,
        ...(move.to === 'stopped' ? { stoppedAt: context.now } : {}),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordAgentChange(context, gone, 'disconnect', own.agent.connectionState, null);
  },
});
