// The organization that every database of the benches holds.
import { hashToken } from '../../dist/auth/secrets.js';

export const apiToken = 'bkua_bench_token_of_the_only_user_there_is';
export const registrationToken = 'bkct_bench_registration_token_of_the_cluster';

const uuid = (number) => `01920000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

export const ids = {
  organization: uuid(1),
  user: uuid(2),
  cluster: uuid(3),
  queue: uuid(4),
  pipeline: uuid(5),
  token: uuid(6),
  agentToken: uuid(7),
};

export const stepsOf = (count) =>
  `steps:\n${Array.from({ length: count }, (_, n) => `  - label: "Test ${n + 1}"\n    command: "make test-${n + 1}"\n`).join('')}`;

/** One organization `bench` with a user, a cluster with one queue, tokens, and a pipeline `app` with five steps. */
export async function seedOrganization(pool) {
  const { scopes } = await import('../../dist/domain/organizations/scopes.js');
  const insert = (table, row) => {
    const columns = Object.keys(row);
    return pool.query(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(row),
    );
  };
  const created_at = new Date();
  const organization_id = ids.organization;
  await insert('organizations', {
    id: ids.organization,
    slug: 'bench',
    name: 'Bench',
    default_cluster_id: ids.cluster,
    created_at,
  });
  await insert('users', { id: ids.user, email: 'bench@example.com', name: 'Bench', created_at });
  await insert('organization_members', { id: uuid(8), organization_id, user_id: ids.user, role: 'admin', created_at });
  await insert('api_tokens', {
    id: ids.token,
    user_id: ids.user,
    description: 'bench',
    token_hash: hashToken(apiToken),
    scopes: [...scopes],
    all_organizations: true,
    created_at,
  });
  await insert('clusters', {
    id: ids.cluster,
    organization_id,
    name: 'Default',
    default_queue_id: ids.queue,
    created_at,
  });
  await insert('cluster_queues', {
    id: ids.queue,
    organization_id,
    cluster_id: ids.cluster,
    key: 'default',
    created_at,
  });
  await insert('agent_tokens', {
    id: ids.agentToken,
    organization_id,
    cluster_id: ids.cluster,
    description: 'bench',
    token_hash: hashToken(registrationToken),
    created_at,
  });
  await insert('pipelines', {
    id: ids.pipeline,
    organization_id,
    slug: 'app',
    name: 'App',
    repository: 'https://example.com/app.git',
    cluster_id: ids.cluster,
    default_branch: 'main',
    configuration: stepsOf(5),
    provider_id: 'git',
    webhook_token_hash: hashToken('bench-webhook'),
    webhook_token: 'bench-webhook',
    badge_token_hash: hashToken('bench-badge'),
    badge_token: 'bench-badge',
    created_at,
    updated_at: created_at,
  });
}
