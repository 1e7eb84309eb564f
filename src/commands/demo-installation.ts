import { v7 } from 'uuid';
import { newToken, tokenPrefixes } from '../auth/secrets.js';
import { Context } from '../request/context.js';
import type { Services } from '../services/services.js';
import { scopes } from '../domain/organizations/scopes.js';
import { perform } from '../core/operation.js';
import { applyPlan } from '../operations/installation/provisioning/apply.js';
import { createSignInAddress } from '../operations/organizations/sign-in/create-address.js';
import { createApiToken } from '../operations/organizations/api-tokens/create.js';

export interface DemoInstallation {
  organization: string;
  clusterId: string;
  /** For the bundled agent; another one at each start, so that it is never kept in the clear. */
  agentToken: string;
  /** Token of the address that signs the demo user in once. */
  signInToken: string;
  /** API token, shown at the first start or on request; null if it was shown before. */
  apiToken: string | null;
}

export const demo = {
  organization: 'demo',
  user: 'demo@example.com',
  cluster: 'Default cluster',
  queue: 'default',
} as const;

/** Creates the demo organization with user, cluster, queue and tokens; leaves existing rows unchanged. */
export async function prepareDemo(services: Services, options: { newToken: boolean }): Promise<DemoInstallation> {
  const context = new Context(services, {
    actor: { kind: 'system', cause: 'slipway dev' },
    surface: 'system',
    requestId: v7(),
  });
  const before = await services.db
    .selectFrom('organizations')
    .select('id')
    .where('slug', '=', demo.organization)
    .executeTakeFirst();
  const agentToken = newToken(tokenPrefixes.agentRegistration);
  await perform(applyPlan, context, demoPlan(agentToken));
  const cluster = await services.db
    .selectFrom('clusters as c')
    .innerJoin('organizations as o', 'o.id', 'c.organizationId')
    .select('c.id')
    .where('o.slug', '=', demo.organization)
    .where('c.name', '=', demo.cluster)
    .executeTakeFirstOrThrow();
  return {
    organization: demo.organization,
    clusterId: cluster.id,
    agentToken,
    signInToken: (await perform(createSignInAddress, context, { email: demo.user })).token,
    apiToken: before && !options.newToken ? null : await issueToken(context),
  };
}

function demoPlan(agentToken: string) {
  return {
    users: [{ email: demo.user, name: 'Demo User' }],
    organizations: [
      {
        slug: demo.organization,
        name: 'Demo',
        plan: 'enterprise',
        defaultCluster: demo.cluster,
        members: [{ user: demo.user, role: 'admin' }],
        clusters: [
          {
            name: demo.cluster,
            queues: [{ key: demo.queue }],
            defaultQueue: demo.queue,
            agentTokens: [{ description: 'Bundled agent', token: agentToken }],
          },
        ],
      },
    ],
  };
}

async function issueToken(context: Context): Promise<string> {
  const { token } = await perform(createApiToken, context, {
    userEmail: demo.user,
    description: 'slipway dev',
    scopes: [...scopes],
    organizations: 'all',
  });
  return token;
}
