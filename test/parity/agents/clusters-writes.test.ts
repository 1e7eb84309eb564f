import { snakeField } from '../../../src/rest/requests/field-names.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { agentApp, ScriptedAgent } from '../../support/scripted-agent.js';
import type { Person } from '../../support/world.js';
import { clusterThings, clusterWrite, clusterWrites } from './cluster-writes.js';

const tables = [
  'organizations',
  'clusters',
  'cluster_queues',
  'cluster_maintainers',
  'agent_tokens',
  'cluster_secrets',
  'organization_invitations',
  'pipeline_schedules',
  'agents',
  'jobs',
  'events',
  'audit_events',
  'outbox_messages',
  'idempotency_keys',
];

/** Columns with random values in each world: secrets, and values encrypted with a nonce. */
const ofOneWorld: ReadonlySet<string> = new Set(['token_hash', 'encrypted_value', 'session_token_hash']);
const rows = async (surfaces: BothSurfaces) =>
  JSON.parse(JSON.stringify(await surfaces.rows(tables), (key, value) => (ofOneWorld.has(key) ? undefined : value)));

/** A cluster of its own with one of everything, and an agent. */
async function furnish(surfaces: BothSurfaces): Promise<void> {
  const { world } = surfaces;
  await world.pipeline('steps: [{ command: a }]');
  const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken);
  world.clock.advance(1);
  for (const [operation, body] of [
    ['cluster.create', { name: 'Furnished' }],
    ['organization-banner.upsert', { message: 'Welcome' }],
    ['organization-invitation.create', { emails: ['grace@example.com'] }],
    ['queue.create', { key: 'one' }],
    ['agent-token.create', { description: 'd' }],
    ['secret.create', { key: 'KEY', value: 'v' }],
    ['cluster-maintainer.create', { user: world.admin.id }],
    ['pipeline-schedule.create', { cronline: '@daily' }],
  ] as const)
    await surfaces.read(clusterWrite(operation).rest(await clusterThings(surfaces), body));
  expect(agent.id).not.toBe('');
}

const writesInOrder: { tells: string; operation: string; rest?: object; graphql?: object }[] = [
  {
    tells: 'creating a cluster',
    operation: 'cluster.create',
    rest: { name: 'Mobile', description: 'd', emoji: ':a:', color: '#fff' },
    graphql: { name: 'Mobile', description: 'd', emoji: ':a:', color: '#fff' },
  },
  {
    tells: 'creating a queue',
    operation: 'queue.create',
    rest: { key: 'ios', description: 'q', retry_agent_affinity: 'prefer-different', price_per_agent_hour: 0.35 },
    graphql: { key: 'ios', description: 'q', retryAgentAffinity: 'prefer-different', pricePerAgentHour: 0.35 },
  },
  {
    tells: 'updating a queue',
    operation: 'queue.update',
    rest: { description: null, retry_agent_affinity: 'prefer-warmest', price_per_agent_hour: 1.5 },
    graphql: { description: null, retryAgentAffinity: 'prefer-warmest', pricePerAgentHour: 1.5 },
  },
  { tells: 'pausing a queue', operation: 'queue.pause-dispatch', rest: { note: 'n' }, graphql: { note: 'n' } },
  { tells: 'resuming a queue', operation: 'queue.resume-dispatch' },
  {
    tells: 'renaming a cluster',
    operation: 'cluster.update',
    rest: { name: 'Renamed', description: null, default_queue_id: null },
    graphql: { name: 'Renamed', description: null, defaultQueueId: null },
  },
  { tells: 'an update without any change', operation: 'cluster.update', rest: {}, graphql: {} },
  { tells: 'adding a cluster maintainer', operation: 'cluster-maintainer.create' },
  { tells: 'removing a cluster maintainer', operation: 'cluster-maintainer.delete' },
  {
    tells: 'creating an agent token',
    operation: 'agent-token.create',
    rest: { description: 'ci', allowed_ip_addresses: '10.0.0.0/8', expires_at: '2030-01-01T00:00:00Z' },
    graphql: { description: 'ci', allowedIpAddresses: '10.0.0.0/8', expiresAt: '2030-01-01T00:00:00Z' },
  },
  {
    tells: 'describing an agent token',
    operation: 'agent-token.update',
    rest: { description: 'new', allowed_ip_addresses: null },
    graphql: { description: 'new', allowedIpAddresses: null },
  },
  { tells: 'revoking an agent token', operation: 'agent-token.revoke' },
  {
    tells: 'creating a secret',
    operation: 'secret.create',
    rest: { key: 'A', value: 'v', description: 'd', policy: '- build_branch: main' },
    graphql: { key: 'A', value: 'v', description: 'd', policy: '- build_branch: main' },
  },
  {
    tells: 'describing a secret',
    operation: 'secret.update',
    rest: { description: null, policy: null },
    graphql: { description: null, policy: null },
  },
  { tells: 'replacing the value of a secret', operation: 'secret.update-value' },
  { tells: 'deleting a secret', operation: 'secret.delete' },
  {
    tells: 'creating a schedule',
    operation: 'pipeline-schedule.create',
    rest: {
      cronline: '0 8 * * *',
      label: 'l',
      message: 'm',
      commit: 'c',
      branch: 'b',
      env: { A: '1', B: 'x=y' },
      enabled: true,
    },
    graphql: {
      cronline: '0 8 * * *',
      label: 'l',
      message: 'm',
      commit: 'c',
      branch: 'b',
      env: 'A=1\nB=x=y\n',
      enabled: true,
    },
  },
  {
    tells: 'updating a schedule',
    operation: 'pipeline-schedule.update',
    rest: { cronline: '@daily', label: null, message: null, env: null, enabled: false },
    graphql: { cronline: '@daily', label: null, message: null, env: null, enabled: false },
  },
  { tells: 'deleting a schedule', operation: 'pipeline-schedule.delete' },
  {
    tells: 'pausing an agent',
    operation: 'agent.pause',
    rest: { note: 'n', timeout_in_minutes: 7 },
    graphql: { note: 'n', timeoutInMinutes: 7 },
  },
  { tells: 'resuming an agent', operation: 'agent.resume' },
  { tells: 'stopping an agent', operation: 'agent.stop', rest: { force: true }, graphql: { graceful: false } },
  {
    tells: 'inviting people',
    operation: 'organization-invitation.create',
    rest: { emails: ['ada@example.com', 'alan@example.com'], role: 'admin', sso_mode: 'required' },
    graphql: { emails: ['ada@example.com', 'alan@example.com'], role: 'ADMIN', sso: { mode: 'REQUIRED' } },
  },
  { tells: 'giving an invitation a new address', operation: 'organization-invitation.resend' },
  { tells: 'revoking an invitation', operation: 'organization-invitation.revoke' },
  { tells: 'setting the banner', operation: 'organization-banner.upsert' },
  { tells: 'removing the banner', operation: 'organization-banner.delete' },
  {
    tells: 'setting what API tokens must meet',
    operation: 'organization.update-api-settings',
    rest: { allowed_ip_addresses: '0.0.0.0/0  ::/0', restrict_user_api_token_creation: true },
    graphql: { allowedIpAddresses: '0.0.0.0/0  ::/0', restrictUserApiTokenCreation: true },
  },
  {
    tells: 'lifting what API tokens must meet',
    operation: 'organization.update-api-settings',
    rest: { allowed_ip_addresses: null, revoke_inactive_tokens_after_days: null },
    graphql: { allowedIpAddresses: null, revokeInactiveTokensAfterDays: null },
  },
  { tells: 'exporting builds before they go', operation: 'organization.set-build-export' },
  { tells: 'ending the export of builds', operation: 'organization.delete-build-export' },
  { tells: 'allowing public pipelines', operation: 'organization.set-public-pipelines' },
  {
    tells: 'forbidding public pipelines',
    operation: 'organization.set-public-pipelines',
    rest: { enabled: false },
    graphql: { enabled: false },
  },
  { tells: 'setting the default cluster', operation: 'organization.update-pipeline-settings' },
  {
    tells: 'removing the default cluster',
    operation: 'organization.update-pipeline-settings',
    rest: { default_cluster_id: null },
    graphql: { defaultClusterId: null },
  },
  {
    tells: 'setting the branch, the timeouts and the expiry of jobs',
    operation: 'organization.update-pipeline-settings',
    rest: {
      default_branch: 'trunk',
      default_timeout_in_minutes: 60,
      maximum_timeout_in_minutes: 120,
      scheduled_job_expiry_in_minutes: 1440,
    },
    graphql: {
      defaultBranch: 'trunk',
      defaultTimeoutInMinutes: 60,
      maximumTimeoutInMinutes: 120,
      scheduledJobExpiryInMinutes: 1440,
    },
  },
  { tells: 'deleting a queue', operation: 'queue.delete' },
  { tells: 'deleting a cluster', operation: 'cluster.delete' },
];

describe('writes to clusters, schedules and agents on both surfaces', () => {
  let told: [BothSurfaces, BothSurfaces];
  beforeAll(async () => {
    told = [await BothSurfaces.open(), await BothSurfaces.open()];
    for (const surfaces of told) await furnish(surfaces);
  });
  afterAll(() => Promise.all(told.map((surfaces) => surfaces.close())));

  test('every write operation of clusters, schedules and agents is in the table', () => {
    expect([...new Set(writesInOrder.map(({ operation }) => operation))].sort()).toEqual(
      Object.keys(clusterWrites).sort(),
    );
  });

  test.each(writesInOrder)(
    '$tells ($operation) leaves the same rows, events and audit on both surfaces',
    async ({ operation, rest, graphql }) => {
      const [one, other] = told;
      for (const surfaces of told) surfaces.world.clock.advance(1);
      const earlier = await rows(one);
      await one.read(clusterWrite(operation).rest(await clusterThings(one), rest));
      await other.select(clusterWrite(operation).graphql(await clusterThings(other), graphql));
      const left = await rows(one);
      expect(await rows(other)).toEqual(left);
      expect(left['audit_events'].length).toBe(earlier['audit_events'].length + 1);
      expect(left['audit_events'].at(-1)).toMatchObject({
        operation,
        subject_id: expect.any(String),
        organization_id: expect.any(String),
      });
      expect(left['events'].length).toBeGreaterThan(earlier['events'].length);
    },
  );
});

describe('refused writes to clusters, schedules and agents', () => {
  let surfaces: BothSurfaces;
  let readers: Person;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open({ teamsEnabled: true });
    await furnish(surfaces);
    readers = await surfaces.world.personWithToken(surfaces.world.admin.id, surfaces.world.admin.email, {
      scopes: ['read_clusters', 'read_pipelines', 'read_agents'],
    });
  });
  afterAll(() => surfaces.close());

  interface Refusal {
    code: string;
    message: string;
  }
  const codes: Record<number, string> = { 400: 'CONFLICT', 403: 'FORBIDDEN', 404: 'NOT_FOUND' };
  const sentence = (field: string, code: string) => {
    const words = snakeField(field).replaceAll('_', ' ');
    return words === ''
      ? code
      : `${words.charAt(0).toUpperCase()}${words.slice(1)} ${code === 'missing' ? 'is missing' : code}`;
  };
  const ofRest = ({ status, body }: { status: number; body: Data }): Refusal => ({
    code: codes[status] ?? (body.message.startsWith('Validation failed') ? 'BAD_USER_INPUT' : 'CONFLICT'),
    message: body.message,
  });
  const ofGraphql = ({ errors }: { errors?: Data[] }): Refusal => {
    const [error] = errors ?? [];
    const fields: Data[] = error?.extensions.fields ?? [];
    const message =
      fields.length > 0
        ? `Validation failed: ${fields.map(({ field, code }) => sentence(field.replace(/Id$/, field.startsWith('default') ? 'Id' : ''), code)).join(', ')}`
        : error?.message;
    return { code: error?.extensions.code, message };
  };

  /** Checks that both surfaces refuse alike and change nothing; returns the refusal. */
  async function refused(
    operation: string,
    { person, rest, graphql }: { person?: Person; rest?: object; graphql?: object } = {},
  ): Promise<Refusal> {
    const at = await clusterThings(surfaces);
    const before = await surfaces.digests(tables);
    const atRest = ofRest(await surfaces.rest(clusterWrite(operation).rest(at, rest), person));
    expect(ofGraphql(await surfaces.graphql(clusterWrite(operation).graphql(at, graphql), person))).toEqual(atRest);
    expect(await surfaces.digests(tables)).toEqual(before);
    return atRest;
  }

  const least: Record<string, { rest: object; graphql: object }> = {
    'cluster.create': { rest: { name: 'New' }, graphql: { name: 'New' } },
    'queue.create': { rest: { key: 'new' }, graphql: { key: 'new' } },
  };

  describe.each(Object.keys(clusterWrites))('refusals of %s', (operation) => {
    test('a stranger gets the answer for an absent resource', async () => {
      expect(await refused(operation, { ...least[operation], person: surfaces.world.outsider })).toEqual({
        code: 'NOT_FOUND',
        message: 'Not Found',
      });
    });

    test('a token without the scope is refused, naming the scope', async () => {
      const { code, message } = await refused(operation, { ...least[operation], person: readers });
      expect([code, message]).toEqual([
        'FORBIDDEN',
        expect.stringMatching(/^Your access token doesn't have the write_\w+ scope$/),
      ]);
    });

    test('a member without the permission is refused', async () => {
      if (operation.startsWith('agent.')) return;
      const hidden = operation.startsWith('pipeline-schedule');
      expect((await refused(operation, { ...least[operation], person: surfaces.world.member })).code).toBe(
        hidden ? 'NOT_FOUND' : 'FORBIDDEN',
      );
    });
  });

  test.each<[string, object, object]>([
    ['cluster.create', { name: ' ' }, { name: ' ' }],
    ['cluster.create', { name: 'Furnished' }, { name: 'Furnished' }],
    ['cluster.update', { name: 'Default cluster' }, { name: 'Default cluster' }],
    ['cluster.update', { color: 'red', emoji: 'x' }, { color: 'red', emoji: 'x' }],
    ['cluster.update', { default_queue_id: 'x' }, { defaultQueueId: 'x' }],
    ['cluster-maintainer.create', { user: 'x' }, { userId: 'x' }],
    ['cluster-maintainer.create', {}, {}],
    ['queue.create', { key: 'one' }, { key: 'one' }],
    ['queue.create', { key: '' }, { key: '' }],
    ['queue.update', { retry_agent_affinity: 'x' }, { retryAgentAffinity: 'x' }],
    ['queue.update', { price_per_agent_hour: -1 }, { pricePerAgentHour: -1 }],
    ['queue.create', { key: 'dear', price_per_agent_hour: 0.12345 }, { key: 'dear', pricePerAgentHour: 0.12345 }],
    ['agent-token.create', { description: '' }, { description: '' }],
    [
      'agent-token.create',
      { description: 'd', expires_at: '2001-01-01T00:00:00Z' },
      { description: 'd', expiresAt: '2001-01-01T00:00:00Z' },
    ],
    [
      'agent-token.update',
      { description: 'd', allowed_ip_addresses: 'x' },
      { description: 'd', allowedIpAddresses: 'x' },
    ],
    ['secret.create', { key: 'bk', value: 'v' }, { key: 'bk', value: 'v' }],
    ['secret.create', { key: 'KEY', value: 'v' }, { key: 'KEY', value: 'v' }],
    ['secret.update', { policy: 'x' }, { policy: 'x' }],
    ['secret.update-value', { value: '' }, { value: '' }],
    ['pipeline-schedule.create', { cronline: 'never' }, { cronline: 'never' }],
    ['pipeline-schedule.update', { cronline: '0 0 31 2 *' }, { cronline: '0 0 31 2 *' }],
    ['organization-invitation.create', { emails: ['nobody'] }, { emails: ['nobody'] }],
    ['organization-banner.upsert', { message: ' ' }, { message: ' ' }],
    ['organization.update-api-settings', { allowed_ip_addresses: 'x' }, { allowedIpAddresses: 'x' }],
    [
      'organization.update-api-settings',
      { revoke_inactive_tokens_after_days: 31 },
      { revokeInactiveTokensAfterDays: 31 },
    ],
    ['organization.update-pipeline-settings', { default_cluster_id: 'x' }, { defaultClusterId: 'x' }],
    ['organization.update-pipeline-settings', { default_timeout_in_minutes: 0 }, { defaultTimeoutInMinutes: 0 }],
    ['agent.pause', { timeout_in_minutes: 0 }, { timeoutInMinutes: 0 }],
  ])('both surfaces refuse an invalid input of %s alike: %j', async (operation, rest, graphql) => {
    expect((await refused(operation, { rest, graphql })).code).toBe('BAD_USER_INPUT');
  });

  test.each<[string, string, (at: Data) => Promise<unknown>]>([
    [
      'cluster.delete',
      'the default cluster',
      async ({ cluster }) =>
        surfaces.world.services.db
          .updateTable('organizations')
          .set({ defaultClusterId: cluster.id })
          .where('slug', '=', 'acme')
          .execute(),
    ],
    [
      'queue.delete',
      'the default queue',
      async ({ cluster, queue }) =>
        surfaces.world.services.db
          .updateTable('clusters')
          .set({ defaultQueueId: queue.id })
          .where('id', '=', cluster.id)
          .execute(),
    ],
    ['queue.resume-dispatch', 'a queue that is not paused', async () => undefined],
    [
      'queue.pause-dispatch',
      'a queue that is',
      async ({ queue }) =>
        surfaces.world.services.db
          .updateTable('cluster_queues')
          .set({ dispatchPausedAt: surfaces.world.clock.now() })
          .where('id', '=', queue.id)
          .execute(),
    ],
    ['agent.resume', 'an agent that is not paused', async () => undefined],
    [
      'agent.stop',
      'an agent that is gone',
      async ({ agent }) =>
        surfaces.world.services.db
          .updateTable('agents')
          .set({ connectionState: 'disconnected' })
          .where('id', '=', agent.id)
          .execute(),
    ],
    ['agent.pause', 'an agent that is gone', async () => undefined],
    [
      'pipeline-schedule.create',
      'an archived pipeline',
      async ({ pipeline }) =>
        surfaces.world.services.db
          .updateTable('pipelines')
          .set({ archivedAt: surfaces.world.clock.now() })
          .where('id', '=', pipeline.id)
          .execute(),
    ],
  ])('both surfaces refuse %s alike in the wrong state: %s', async (operation, _what, prepare) => {
    await prepare(await clusterThings(surfaces));
    expect((await refused(operation)).code).toBe('CONFLICT');
  });
});
