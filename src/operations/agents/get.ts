import { z } from 'zod';
import { inOrganization } from '../address.js';
import { defineOperation } from '../operation.js';
import type { AgentSubject } from '../subject.js';
import { findAgent } from './find-agent.js';

/** One agent of an organization the caller is a member of. */
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
