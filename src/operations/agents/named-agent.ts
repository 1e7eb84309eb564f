import { z } from 'zod';
import type { Context } from '../../context.js';
import { forbidden } from '../../domain/problem.js';
import { inOrganization, type InOrganizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import type { AgentSubject } from '../subject.js';
import { findAgent } from './find-agent.js';

/** Users name the agent; for an agent, or a job on it, it is always the agent itself. */
export const agentInput = z.object({ agent: inOrganization.nullish() });

/** The agent an operation is about, as its caller may name it; not locked: its job's build is locked before it. */
export async function namedAgent(context: Context, address: InOrganizationAddress | null | undefined): Promise<AgentSubject | null> {
  const { actor } = context;
  if (actor.kind === 'agent') {
    const found = await findOrganization(context, { id: actor.agent.organizationId });
    return found && { ...found, agent: actor.agent };
  }
  if (actor.kind !== 'user' && actor.kind !== 'system') throw forbidden();
  return address ? findAgent(context, address) : null;
}
