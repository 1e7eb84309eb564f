import { defineOperation } from '../../../core/operation.js';
import { findStack, stackInput } from '../../../resources/agents/stacks/find-stack.js';

/**
 * POST deregister: a stack signs off. Agents that it started may still take the jobs that it reserved, until the
 * reservations expire.
 */
export const deregisterStack = defineOperation({
  name: 'stack.deregister',
  summary: 'Signs a stack off.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: stackInput,
  subject: (context, { stack }) => findStack(context, stack),
  run: async (context, _input, { stack }): Promise<void> => {
    await context.db
      .updateTable('stacks')
      .set({ disconnectedAt: context.now })
      .where('id', '=', stack.id)
      .where('disconnectedAt', 'is', null)
      .execute();
  },
});
