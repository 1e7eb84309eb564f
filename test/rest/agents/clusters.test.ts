import type { Express } from 'express';
import { agentApp, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import type { Person } from '../../support/world.js';
import { expectShape } from '../reply-shape.js';
import { RestWorld } from '../rest-world.js';

let rest: RestWorld;
let app: Express;
beforeAll(async () => {
  rest = await RestWorld.create();
  app = agentApp(rest.world);
});
afterAll(() => rest.close());

const clusters = '/organizations/acme/clusters';
const path = (url: string) => url.replace('http://slipway.test/v2', '');
const send = (method: 'post' | 'put' | 'patch' | 'delete', to: string, body: object = {}, person?: Person) =>
  rest.request(method, to, person).send(body);
const made = async (to: string, body: object) => (await send('post', to, body).expect(201)).body;
const db = () => rest.world.services.db;

describe('clusters', () => {
  test('clusters are created, read, updated by PUT and PATCH, and deleted', async () => {
    const cluster = await made(clusters, {
      name: 'Mobile',
      description: 'phones',
      emoji: ':iphone:',
      color: '#aabbcc',
      maintainers: [{ user: rest.world.member.id }],
      unknown: 1,
    });
    expectShape('Cluster', cluster);
    expect(cluster).toMatchObject({
      name: 'Mobile',
      default_queue_id: null,
      default_queue_url: null,
      maintainers: { users: [{ id: rest.world.member.id }], teams: [] },
      created_by: { id: rest.world.admin.id },
    });
    expect((await rest.get(path(cluster.url))).body).toEqual(cluster);
    const queue = await made(path(cluster.queues_url), { key: 'ios' });
    for (const method of ['put', 'patch'] as const) {
      const changed = (
        await send(method, path(cluster.url), {
          name: `Mobile ${method}`,
          description: null,
          default_queue_id: queue.id,
        }).expect(200)
      ).body;
      expect(changed).toMatchObject({
        name: `Mobile ${method}`,
        description: null,
        emoji: ':iphone:',
        default_queue_id: queue.id,
        default_queue_url: queue.url,
      });
    }
    expect((await send('patch', path(cluster.url), { default_queue_id: null })).body.default_queue_id).toBeNull();
    const token = await made(`${path(cluster.url)}/tokens`, { description: 'agents' });
    await send('delete', path(cluster.url)).expect(204, '');
    for (const gone of [cluster.url, queue.url, token.url])
      await rest.get(path(gone)).expect(404, { message: 'Not Found' });
    expect(
      await db().selectFrom('cluster_maintainers').select('id').where('clusterId', '=', cluster.id).execute(),
    ).toEqual([]);
  });

  test('an invalid cluster is refused with a message', async () => {
    await made(clusters, { name: 'Taken' });
    const one = await made(clusters, { name: 'One' });
    for (const [body, message] of [
      [{}, 'Validation failed: Name is missing'],
      [{ name: ' ' }, "Validation failed: Name can't be blank"],
      [{ name: 'Taken' }, 'Validation failed: Name has already been taken'],
      [{ name: 'x'.repeat(300) }, 'Validation failed: Name is too long (maximum is 255 characters)'],
      [{ name: 'New', color: 'red' }, 'Validation failed: Color must be a color such as #1a2b3c'],
      [
        { name: 'New', maintainers: [{ user: rest.world.outsider.id }] },
        'Validation failed: User is not a member of the organization',
      ],
      [{ name: 'New', maintainers: [{}] }, 'Validation failed: A maintainer is either a user or a team'],
    ] as const)
      await send('post', clusters, body).expect(422, { message });
    await send('patch', path(one.url), { name: 'Taken' }).expect(422, {
      message: 'Validation failed: Name has already been taken',
    });
    await send('patch', path(one.url), { default_queue_id: rest.world.queues.default }).expect(422, {
      message: 'Validation failed: Default queue id is not a queue of this cluster',
    });
    expect((await rest.get(clusters)).body.filter((cluster: { name: string }) => cluster.name === 'New')).toEqual([]);
  });

  test('a cluster cannot be deleted while anything needs it', async () => {
    await send('delete', `${clusters}/${rest.world.clusterId}`).expect(422, {
      message: 'The default cluster of the organization cannot be deleted',
    });
    const cluster = await made(clusters, { name: 'Needed' });
    const queue = await made(path(cluster.queues_url), { key: 'q' });
    const pipeline = await rest.world.pipeline('steps: [{ command: a, agents: { queue: q } }]', {
      clusterId: cluster.id,
    });
    await send('delete', path(cluster.url)).expect(422, {
      message: 'The cluster cannot be deleted: it still has pipelines',
    });
    const build = await made(`/organizations/acme/pipelines/${pipeline.slug}/builds`, {
      commit: 'HEAD',
      branch: 'main',
    });
    await send('patch', `/organizations/acme/pipelines/${pipeline.slug}`, { cluster_id: rest.world.clusterId }).expect(
      200,
    );
    await send('delete', path(cluster.url)).expect(422, {
      message: 'The cluster cannot be deleted: it still has active jobs',
    });
    await send('delete', path(queue.url)).expect(422, {
      message: 'The queue cannot be deleted: it still has active jobs',
    });
    await send('put', path(`${build.url}/cancel`)).expect(200);
    const { token } = await made(`${path(cluster.url)}/tokens`, { description: 'agents' });
    const agent = await ScriptedAgent.connected(app, token, { meta_data: ['queue=q'] });
    await send('delete', path(cluster.url)).expect(422, {
      message: 'The cluster cannot be deleted: it still has connected agents',
    });
    await send('delete', path(queue.url)).expect(422, {
      message: 'The queue cannot be deleted: it still has connected agents',
    });
    await agent.call('post', '/disconnect');
    await send('delete', path(cluster.url)).expect(204, '');
  });

  test('a pipeline is put into a cluster, taken out of it, and created in the default cluster [api-v2:kifhcj,idabmn,kmhjon] [compat:9,12]', async () => {
    const create = (more: object) =>
      send('post', '/organizations/acme/pipelines', {
        repository: 'https://github.com/a/b',
        configuration: 'steps: [{ command: a }]',
        ...more,
      });
    const cluster = await made(clusters, { name: 'For pipelines' });
    expect((await create({ name: 'By uuid', cluster_id: cluster.id })).body.cluster_id).toBe(cluster.id);
    expect((await create({ name: 'By node id', cluster_id: cluster.graphql_id })).body.cluster_id).toBe(cluster.id);
    expect((await create({ name: 'Blank', cluster_id: '' })).body.cluster_id).toBe(rest.world.clusterId);
    expect((await create({ name: 'Absent' })).body.cluster_id).toBe(rest.world.clusterId);
    expect(
      (await send('patch', '/organizations/acme/pipelines/absent', { cluster_id: null })).body.cluster_id,
    ).toBeNull();
    expect((await create({ name: 'Unknown', cluster_id: rest.world.member.id })).body).toEqual({
      message: 'Validation Failed',
      errors: [{ field: 'cluster_id', code: 'does not exist' }],
    });
    await db().updateTable('organizations').set({ defaultClusterId: null }).where('slug', '=', 'acme').execute();
    expect((await create({ name: 'No default' })).body).toEqual({
      message: 'Validation Failed',
      errors: [{ field: 'cluster_id', code: 'missing' }],
    });
    expect((await create({ name: 'No default', cluster_id: '' })).status).toBe(422);
    await db()
      .updateTable('organizations')
      .set({ defaultClusterId: rest.world.clusterId })
      .where('slug', '=', 'acme')
      .execute();
  });
});

test('only administrators choose the cluster of pipelines that name none', async () => {
  const settings = '/organizations/acme/pipeline-settings';
  const cluster = await made(clusters, { name: 'Chosen' });
  expect((await rest.get(settings)).body).toEqual({
    url: expect.stringContaining(settings),
    default_branch: null,
    default_cluster_id: rest.world.clusterId,
    default_timeout_in_minutes: null,
    maximum_timeout_in_minutes: null,
    scheduled_job_expiry_in_minutes: 43_200,
    retention: null,
    build_exports: {
      available: true,
      enabled: false,
      location: null,
      strategy_id: null,
      supported_strategies: ['file'],
    },
    public_pipeline_creation: { enabled: true, enabled_at: null, enabled_by: null },
  });
  expect((await send('patch', settings, { default_cluster_id: cluster.graphql_id }).expect(200)).body).toMatchObject({
    default_cluster_id: cluster.id,
  });
  const pipeline = await made('/organizations/acme/pipelines', {
    name: 'Lands there',
    repository: 'https://github.com/a/c',
    configuration: 'steps: []',
  });
  expect(pipeline.cluster_id).toBe(cluster.id);
  await send('patch', settings, { default_cluster_id: rest.world.member.id }).expect(422, {
    message: 'Validation failed: Default cluster id does not exist',
  });
  await send('patch', settings, {}, rest.world.member).expect(403, { message: 'Forbidden' });
  expect((await send('patch', settings, { default_cluster_id: rest.world.clusterId })).body).toMatchObject({
    default_cluster_id: rest.world.clusterId,
  });
});

test('an organization says which branch new pipelines have, and null brings back each default', async () => {
  const settings = '/organizations/acme/pipeline-settings';
  const chosen = { default_branch: 'trunk', default_timeout_in_minutes: 60, scheduled_job_expiry_in_minutes: 90 };
  expect((await send('patch', settings, chosen).expect(200)).body).toMatchObject(chosen);
  const fields = { repository: 'https://github.com/a/d', configuration: 'steps: []' };
  const follows = await made('/organizations/acme/pipelines', { ...fields, name: 'Follows' });
  const differs = await made('/organizations/acme/pipelines', { ...fields, name: 'Differs', default_branch: 'dev' });
  expect([follows.default_branch, differs.default_branch]).toEqual(['trunk', 'dev']);
  const differing = '/organizations/acme/pipelines/differs';
  expect((await send('patch', differing, { default_branch: null }).expect(200)).body.default_branch).toBe('trunk');
  const nothing = Object.fromEntries(Object.keys(chosen).map((key) => [key, null]));
  expect((await send('patch', settings, nothing).expect(200)).body).toMatchObject({
    ...nothing,
    scheduled_job_expiry_in_minutes: 43_200,
  });
});

describe('queues', () => {
  const queues = () => `${clusters}/${rest.world.clusterId}/queues`;

  test('queues are created, updated and deleted; their key cannot change', async () => {
    const queue = await made(queues(), { key: 'linux', description: 'boxes' });
    expectShape('ClusterQueue', queue);
    expect(queue).toMatchObject({
      key: 'linux',
      retry_agent_affinity: 'prefer-warmest',
      dispatch_paused: false,
      created_by: { id: rest.world.admin.id },
    });
    expect(
      (await send('put', path(queue.url), { key: 'other', retry_agent_affinity: 'prefer-different' })).body,
    ).toEqual({ ...queue, retry_agent_affinity: 'prefer-different' });
    expect((await send('patch', path(queue.url), { description: null })).body).toMatchObject({
      key: 'linux',
      description: null,
      retry_agent_affinity: 'prefer-different',
    });
    const price = async (value: number | null) =>
      (await send('patch', path(queue.url), { price_per_agent_hour: value })).body.price_per_agent_hour;
    expect([queue.price_per_agent_hour, await price(0.35), await price(0), await price(null)]).toEqual([
      null,
      0.35,
      0,
      null,
    ]);
    await send('delete', path(queue.url)).expect(204, '');
    await rest.get(path(queue.url)).expect(404);
    await send('delete', `${queues()}/${rest.world.queues.default}`).expect(422, {
      message: 'The default queue of a cluster cannot be deleted',
    });
    for (const [body, message] of [
      [{}, 'Validation failed: Key is missing'],
      [{ key: 'default' }, 'Validation failed: Key has already been taken'],
      [{ key: 'a b' }, expect.stringContaining('Validation failed: Key may hold letters')],
      [
        { key: 'ok', retry_agent_affinity: 'any' },
        'Validation failed: Retry agent affinity must be one of prefer-warmest, prefer-different',
      ],
      [
        { key: 'ok', price_per_agent_hour: 0.12345 },
        'Validation failed: Price per agent hour may have four decimals at most',
      ],
      [{ key: 'ok', price_per_agent_hour: -0.1 }, 'Validation failed: Price per agent hour must be at least 0'],
      [{ key: 'ok', price_per_agent_hour: 1e6 + 1 }, 'Validation failed: Price per agent hour must be at most 1000000'],
    ] as const)
      expect((await send('post', queues(), body)).body).toEqual({ message });
  });

  test('a cluster holds at most fifty queues', async () => {
    const cluster = await made(clusters, { name: 'Full' });
    const common = { organizationId: rest.world.organization.id, clusterId: cluster.id };
    for (let index = 0; index < 50; index += 1)
      await rest.world.insert('cluster_queues', { ...common, key: `q${index}` });
    await send('post', `${path(cluster.url)}/queues`, { key: 'more' }).expect(422, {
      message: 'A cluster may have at most 50 queues',
    });
  });

  test('a paused queue offers no jobs to agents until it is resumed', async () => {
    const agent = await ScriptedAgent.connected(app, rest.world.agentToken);
    const one = `${queues()}/${rest.world.queues.default}`;
    const paused = (await send('post', `${one}/pause_dispatch`, { dispatch_paused_note: 'repairs' }).expect(200)).body;
    expectShape('ClusterQueue', paused);
    expect(paused).toMatchObject({
      dispatch_paused: true,
      dispatch_paused_note: 'repairs',
      dispatch_paused_by: { id: rest.world.admin.id },
      dispatch_paused_at: expect.any(String),
    });
    const { first } = await buildOf(rest.world, 'steps: [{ command: "a" }]');
    expect((await agent.ping()).job).toBeUndefined();
    await send('post', `${one}/pause_dispatch`, { note: 'again' }).expect(422, {
      message: 'Cluster queue is already paused',
    });
    expect((await send('post', `${one}/resume_dispatch`).expect(200)).body).toMatchObject({
      dispatch_paused: false,
      dispatch_paused_note: null,
      dispatch_paused_by: null,
      dispatch_paused_at: null,
    });
    await send('post', `${one}/resume_dispatch`).expect(422, { message: 'Cluster queue is not paused' });
    expect(await agent.takeJob()).toBe(first.id);
    await agent.finish(first.id);
    await agent.call('post', '/disconnect');
    expect((await send('post', `${one}/pause_dispatch`, { note: 'by its other name' })).body.dispatch_paused_note).toBe(
      'by its other name',
    );
    await send('post', `${one}/resume_dispatch`).expect(200);
  });

  test('jobs that name a queue which is created later are put into that queue', async () => {
    const { jobs } = await buildOf(
      rest.world,
      'steps: [{ command: a, agents: { queue: later } }, { command: b, agents: { queue: never } }, { command: c, agents: { queue: later, os: linux } }]',
    );
    expect(jobs.map((job) => job.clusterQueueId)).toEqual([null, null, null]);
    const queue = await made(queues(), { key: 'later' });
    expect((await Promise.all(jobs.map((job) => jobNow(rest.world, job.id)))).map((job) => job.clusterQueueId)).toEqual(
      [queue.id, null, queue.id],
    );
    const agent = await ScriptedAgent.connected(app, rest.world.agentToken, { meta_data: ['queue=later'] });
    expect(await agent.takeJob()).toBe(jobs[0]?.id);
    await agent.finish(jobs[0]?.id ?? '');
    await agent.call('post', '/disconnect');
  });

  test('jobs that name no queue use the first default queue of their cluster', async () => {
    const cluster = await made(clusters, { name: 'Without default' });
    const queue = await made(`${path(cluster.url)}/queues`, { key: 'main' });
    const pipeline = await rest.world.pipeline('steps: [{ command: a }]', { clusterId: cluster.id });
    const build = await made(`/organizations/acme/pipelines/${pipeline.slug}/builds`, {
      commit: 'HEAD',
      branch: 'main',
    });
    expect(build.jobs[0].cluster_queue_id).toBeNull();
    await send('patch', path(cluster.url), { default_queue_id: queue.id }).expect(200);
    expect((await rest.get(path(build.url))).body.jobs[0].cluster_queue_id).toBe(queue.id);
  });
});

describe('agent tokens', () => {
  const tokens = () => `${clusters}/${rest.world.clusterId}/tokens`;

  test("an agent token's value is shown once and registers agents until it is revoked", async () => {
    const created = await made(tokens(), {
      description: 'ci',
      allowed_ip_addresses: '10.0.0.0/8  ::1/128 127.0.0.1 ::ffff:127.0.0.1',
      expires_at: '2030-01-01T00:00:00Z',
    });
    expectShape('CreatedAgentToken', created);
    const { token, ...shown } = created;
    expect(token).toMatch(/^bkct_/);
    expect(shown).toMatchObject({
      description: 'ci',
      allowed_ip_addresses: '10.0.0.0/8 ::1/128 127.0.0.1 ::ffff:127.0.0.1',
      expires_at: '2030-01-01T00:00:00.000Z',
      created_by: { id: rest.world.admin.id },
    });
    expect((await rest.get(path(created.url))).body).toEqual(shown);
    const list = await rest.get(tokens());
    expect(list.body).toContainEqual(shown);
    expect(list.text).not.toContain(token);
    expectShape('AgentToken', list.body[0]);
    await (await ScriptedAgent.connected(app, token)).call('post', '/disconnect');
    for (const method of ['put', 'patch'] as const)
      expect((await send(method, path(created.url), { description: method })).body).toEqual({
        ...shown,
        description: method,
      });
    expect(
      (await send('patch', path(created.url), { allowed_ip_addresses: null })).body.allowed_ip_addresses,
    ).toBeNull();
    await send('delete', path(created.url)).expect(204, '');
    await rest.get(path(created.url)).expect(404, { message: 'Not Found' });
    await send('delete', path(created.url)).expect(404);
    expect((await new ScriptedAgent(app, token).register()).status).toBe(401);
    expect(
      JSON.stringify(
        await Promise.all(
          (['agent_tokens', 'events', 'audit_events'] as const).map((table) =>
            db().selectFrom(table).selectAll().execute(),
          ),
        ),
      ),
    ).not.toContain(token);
  });

  test('an Idempotency-Key gives the same value again, and no value stands in the database', async () => {
    const create = () => send('post', tokens(), { description: 'once' }).set('Idempotency-Key', 'one-token');
    const [first, second] = [(await create()).body, (await create()).body];
    expect(second).toEqual(first);
    const kept = await db().selectFrom('idempotency_keys').selectAll().where('key', '=', 'one-token').execute();
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(first.token);
    await send('delete', path(first.url)).expect(204);
  });

  test('an invalid agent token is refused with a message', async () => {
    for (const [body, message] of [
      [{}, 'Validation failed: Description is missing'],
      [
        { description: 'x', allowed_ip_addresses: 'everywhere' },
        'Validation failed: Allowed ip addresses must be IP addresses or CIDR ranges separated by spaces',
      ],
      [
        {
          description: 'x',
          allowed_ip_addresses: Array.from({ length: 25 }, (_, index) => `10.0.0.${index}`).join(' '),
        },
        'Validation failed: Allowed ip addresses has more than 24 ranges',
      ],
      [{ description: 'x', expires_at: 'soon' }, 'Validation failed: Expires at must be an ISO 8601 time'],
      [{ description: 'x', expires_at: '2020-01-01' }, 'Validation failed: Expires at must be in the future'],
    ] as const)
      await send('post', tokens(), body).expect(422, { message });
  });
});

describe('cluster maintainers', () => {
  test('users and teams may change a cluster as administrators do until they are removed', async () => {
    const { world } = rest;
    const cluster = await made(clusters, { name: 'Cared for' });
    const other = await world.person({ organizationId: world.organization.id });
    const teamId = await world.insert('teams', { organizationId: world.organization.id, slug: 'ops', name: 'Ops' });
    await world.insert('team_members', {
      organizationId: world.organization.id,
      teamId,
      userId: other.id,
      role: 'member',
    });
    const change = (person: Person) => send('patch', path(cluster.url), { description: person.email }, person);
    for (const person of [world.member, other]) await change(person).expect(403, { message: 'Forbidden' });
    const user = await made(`${path(cluster.url)}/maintainers`, { user: world.member.id });
    const team = await made(`${path(cluster.url)}/maintainers`, { team: teamId });
    for (const maintainer of [user, team]) expectShape('ClusterMaintainer', maintainer);
    expect(user.actor).toMatchObject({ id: world.member.id, email: world.member.email, type: 'user' });
    expect(team.actor).toMatchObject({ id: teamId, slug: 'ops', type: 'team' });
    expect((await rest.get(`${path(cluster.url)}/maintainers/${team.id}`)).body).toEqual(team);
    expect((await rest.get(`${path(cluster.url)}/maintainers`)).body).toEqual([team, user]);
    expect((await rest.get(path(cluster.url))).body.maintainers).toEqual({
      users: [expect.objectContaining({ id: world.member.id })],
      teams: [expect.objectContaining({ slug: 'ops' })],
    });
    for (const person of [world.member, other]) await change(person).expect(200);
    await send('post', `${path(cluster.url)}/maintainers`, { user: world.member.id }).expect(422, {
      message: 'Validation failed: User has already been added',
    });
    await send('post', `${path(cluster.url)}/maintainers`, { team: world.member.id }).expect(422, {
      message: 'Validation failed: Team does not exist',
    });
    await send('delete', path(cluster.url), {}, world.member).expect(403, { message: 'Forbidden' });
    await send('post', clusters, { name: 'Mine' }, world.member).expect(403, { message: 'Forbidden' });
    await send('delete', `${path(cluster.url)}/maintainers/${user.id}`).expect(204, '');
    await send('delete', `${path(cluster.url)}/maintainers/${user.id}`).expect(404, { message: 'Not Found' });
    await change(world.member).expect(403);
    await change(other).expect(200);
  });
});
