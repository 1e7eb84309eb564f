import { z } from 'zod';
import { inOrganization } from '../../core/address.js';
import { defineOperation } from '../../core/operation.js';
import type { AgentSubject } from '../../core/subject.js';
import { findAgent } from '../../resources/agents/find-agent.js';

/** Returns one agent of an organization that the caller is a member of. */
export const getAgent = defineOperation({
  name: 'agent.get',
  summary: 'Returns one agent.',
  kind: 'query',
  scope: 'read_agents',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ agent: inOrganization }),
  subject: (context, { agent }) => findAgent(context, agent),
  run: async (_context, _input, subject: AgentSubject): Promise<AgentSubject> => subject,
});
