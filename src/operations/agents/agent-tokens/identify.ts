import { z } from 'zod';
import type { RegistrationActor } from '../../../auth/actor.js';
import { forbidden, notFound } from '../../../domain/problem.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { defineOperation } from '../../../core/operation.js';

export interface TokenIdentity {
  id: string;
  description: string;
  organization: { id: string; slug: string };
  cluster: { id: string; name: string };
  /** The queue of agents that name none; null where the cluster has no default. */
  queue: { id: string; key: string } | null;
}

interface Holder extends OrganizationSubject {
  token: RegistrationActor;
}

/** GET token: says what the registration token of the request belongs to. */
export const identifyAgentToken = defineOperation({
  name: 'agent-token.identify',
  summary: 'Returns what an agent token belongs to.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({}),
  subject: async (context): Promise<Holder | null> => {
    const { actor } = context;
    if (actor.kind !== 'registration') throw forbidden('This needs an agent registration token');
    const organization = await context.load.organization.load(actor.organizationId);
    return organization && { organization, token: actor };
  },
  run: async (context, _input, { organization, token: { agentTokenId, clusterId } }): Promise<TokenIdentity> => {
    const [token, cluster] = await Promise.all([
      context.load.agentToken.load(agentTokenId),
      context.load.cluster.load(clusterId),
    ]);
    if (!token || !cluster) throw notFound();
    const queue = cluster.defaultQueueId === null ? null : await context.load.clusterQueue.load(cluster.defaultQueueId);
    return { id: token.id, description: token.description ?? '', organization, cluster, queue };
  },
});
