import { z } from 'zod';
import type { Context } from '../../request/context.js';
import { forbidden } from '../../domain/problem.js';
import { inOrganization, type InOrganizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import type { AgentSubject } from '../../core/subject.js';
import { findHeldJob, requireUnfinished } from '../builds/jobs/held-job.js';
import { findAgent } from './find-agent.js';

/** Address of the agent for users; an agent, or a job on it, always means the agent itself. */
export const agentInput = z.object({ agent: inOrganization.nullish() });

/** Finds the agent of an operation; not locked, because its job's build is locked before it. */
export async function namedAgent(
  context: Context,
  address: InOrganizationAddress | null | undefined,
): Promise<AgentSubject | null> {
  const { actor } = context;
  if (actor.kind === 'agent') {
    // The agent of a job that has ended works for another one by now.
    const job = actor.job && (await findHeldJob(context, actor.job.id));
    if (job) requireUnfinished(job.job);
    const parent = await findOrganization(context, { id: actor.agent.organizationId });
    return parent && { ...parent, agent: actor.agent };
  }
  if (actor.kind !== 'user' && actor.kind !== 'system') throw forbidden();
  return address ? findAgent(context, address) : null;
}
