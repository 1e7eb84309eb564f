import { createHmac, randomUUID } from 'node:crypto';
import express, { type Express } from 'express';
import { seal } from '../../src/auth/sealed.js';
import { sealToken } from '../../src/engine/notifications/connection-access.js';
import { limits } from '../../src/domain/limits/limits.js';
import type { ConnectionProvider } from '../../src/domain/integrations/provider-connection.js';
import { webhookRouter } from '../../src/webhooks/router.js';
import { requestsTo } from '../support/requests.js';
import { runUntilIdle } from '../support/run-until-idle.js';
import { World } from '../support/world.js';

const sha = (letter: string) => letter.repeat(40);
const secret = 'the secret of an App';
const steps = 'steps:\n  - command: "true"\n';
const push = (letter: string, repository: string | null = 'Acme/App') => ({
  ref: 'refs/heads/main',
  after: sha(letter),
  head_commit: { id: sha(letter), message: 'work', author: { name: 'Ada', email: 'ada@example.com' } },
  installation: { id: 7 },
  ...(repository === null ? {} : { repository: { full_name: repository } }),
});

let world: World;
let app: Express;
let connection: string;

beforeAll(async () => {
  world = await World.create();
  app = express();
  app.use('/webhooks', webhookRouter(world.services));
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.services.db.deleteFrom('provider_connections').execute();
  connection = await connect('github_app', 'github.com', 'https://api.github.com');
});

async function connect(
  provider: ConnectionProvider,
  host: string,
  apiUrl: string,
  webhookSecret: string | null = secret,
) {
  const id = randomUUID();
  const now = world.clock.now();
  await world.services.db
    .insertInto('provider_connections')
    .values({
      id,
      organizationId: world.organization.id,
      provider,
      host,
      apiUrl,
      token: sealToken(world.services, 'a key'),
      webhookSecret: webhookSecret === null ? null : seal(world.services.secretKey, 'webhook-secret', webhookSecret),
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  return id;
}

async function deliver(
  payload: object,
  {
    id = randomUUID(),
    to = connection,
    signedWith = secret,
    headers = {},
  }: { id?: string; to?: string; signedWith?: string; headers?: Record<string, string> } = {},
) {
  const body = JSON.stringify(payload);
  const reply = await requestsTo(app)
    .post(`/webhooks/connections/${to}`)
    .set({
      'X-GitHub-Event': 'push',
      'X-GitHub-Delivery': id,
      'X-Hub-Signature-256': `sha256=${createHmac('sha256', signedWith).update(body).digest('hex')}`,
      ...headers,
    })
    .type('json')
    .send(body);
  await runUntilIdle(world.services);
  return {
    status: reply.status,
    body: reply.body as { message: string; deliveries?: { id: string; pipeline: string }[] },
  };
}

/** An organization that the connection is not of. */
async function anotherOrganization(): Promise<string> {
  const { id: _id, slug: _slug, ...columns } = world.organization;
  const id = randomUUID();
  await world.services.db
    .insertInto('organizations')
    .values({ ...columns, id, slug: `org-${id}` })
    .execute();
  return id;
}

const buildsOf = async (pipelineId: string) =>
  (await world.services.db.selectFrom('builds').select('commit').where('pipelineId', '=', pipelineId).execute()).map(
    ({ commit }) => commit[0],
  );

describe('the webhook address of a connection', () => {
  test('a delivery is decided by every pipeline of its repository, however their URLs are written, and by no other', async () => {
    const mine = [];
    for (const repository of [
      'https://github.com/acme/app.git',
      'git@github.com:Acme/App.git',
      'ssh://git@ssh.github.com:443/acme/app',
    ])
      mine.push(await world.pipeline(steps, { repository, providerId: 'github' }));
    const filtered = await world.pipeline(steps, {
      repository: 'https://github.com/acme/app',
      providerId: 'github',
      branchConfiguration: 'release/*',
    });
    const others = [];
    for (const repository of [
      'https://github.com/acme/app-two.git',
      'https://github.com/other/app.git',
      'https://gitlab.com/acme/app.git',
      '/srv/acme/app.git',
    ])
      others.push(await world.pipeline(steps, { repository, providerId: 'github' }));
    const archived = await world.pipeline(steps, {
      repository: 'https://github.com/acme/app.git',
      archivedAt: world.clock.now(),
    });
    const foreign = await world.pipeline(steps, {
      repository: 'https://github.com/acme/app.git',
      organizationId: await anotherOrganization(),
    });

    const { status, body } = await deliver(push('a'), { id: 'app-1' });
    expect([status, body.message]).toEqual([202, 'The delivery was received for 4 pipelines']);
    expect(new Set(body.deliveries?.map(({ pipeline }) => pipeline))).toEqual(
      new Set([...mine, filtered].map(({ slug }) => slug)),
    );
    for (const { id } of mine) expect(await buildsOf(id)).toEqual(['a']);
    for (const { id } of [filtered, ...others, archived, foreign]) expect(await buildsOf(id)).toEqual([]);
    const decisions = await world.services.db
      .selectFrom('webhook_deliveries')
      .select(['deliveryId', 'reason'])
      .where('pipelineId', '=', filtered.id)
      .execute();
    expect(decisions).toEqual([
      { deliveryId: 'app-1', reason: 'Branch main does not pass the pipeline\'s branch filter "release/*"' },
    ]);

    const again = await deliver(push('a'), { id: 'app-1' });
    expect([again.status, again.body.message]).toEqual([200, 'This delivery was received before']);
    expect(again.body.deliveries?.map(({ id }) => id).sort()).toEqual(body.deliveries?.map(({ id }) => id).sort());
    for (const { id } of mine) expect(await buildsOf(id)).toEqual(['a']);
  });

  test('a pipeline with a webhook of its own at the provider is left to that', async () => {
    const pipeline = await world.pipeline(steps, {
      repository: 'https://github.com/acme/own.git',
      providerId: 'github',
    });
    const now = world.clock.now();
    await world.services.db
      .insertInto('pipeline_webhooks')
      .values({
        pipelineId: pipeline.id,
        organizationId: pipeline.organizationId,
        externalId: '12',
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    const { status, body } = await deliver(push('b', 'acme/own'));
    expect([status, body]).toEqual([
      200,
      { message: 'No pipeline of the organization takes deliveries about acme/own here', deliveries: [] },
    ]);
    expect(await buildsOf(pipeline.id)).toEqual([]);
  });

  test('an event without a repository is answered and stored nowhere', async () => {
    const { status, body } = await deliver(push('c', null), { headers: { 'X-GitHub-Event': 'installation' } });
    expect([status, body.message]).toEqual([200, 'The delivery names no repository, and no pipeline is built from it']);
  });

  test('groups of GitLab and organizations of Gitea deliver to one address too', async () => {
    const gitlab = await connect('gitlab', 'git.acme.test', 'https://git.acme.test/gitlab/api/v4');
    const pipeline = await world.pipeline(steps, {
      repository: 'https://git.acme.test/gitlab/acme/sub/app.git',
      providerId: 'gitlab_ee',
    });
    const payload = {
      object_kind: 'push',
      ref: 'refs/heads/main',
      after: sha('d'),
      checkout_sha: sha('d'),
      project: { path_with_namespace: 'acme/sub/app' },
      commits: [],
    };
    const reply = await requestsTo(app)
      .post(`/webhooks/connections/${gitlab}`)
      .set({ 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': secret })
      .send(payload);
    expect(reply.status).toBe(202);
    await runUntilIdle(world.services);
    expect(await buildsOf(pipeline.id)).toEqual(['d']);
  });

  test('a delivery must be signed with the secret of the connection, which must have one', async () => {
    const bare = await connect('github', 'ghe.acme.test', 'https://ghe.acme.test/api/v3', null);
    expect((await deliver(push('e'), { signedWith: 'another' })).status).toBe(401);
    expect((await deliver(push('e'), { headers: { 'X-Hub-Signature-256': '' } })).status).toBe(401);
    const unset = await deliver(push('e'), { to: bare });
    expect([unset.status, unset.body.message]).toEqual([401, expect.stringMatching(/has no webhook secret/)]);
    for (const to of [randomUUID(), 'nothing']) expect((await deliver(push('e'), { to })).status).toBe(404);
    expect((await requestsTo(app).get(`/webhooks/connections/${connection}`)).status).toBe(405);
  });

  test('a delivery for more pipelines than it may be stored for is refused whole', async () => {
    const template = await world.pipeline(steps, {
      repository: 'https://github.com/acme/mono.git',
      providerId: 'github',
    });
    const copies = Array.from({ length: limits.pipelinesPerDelivery }, () => {
      const id = randomUUID();
      return { ...template, id, slug: id, name: id, webhookTokenHash: id, badgeTokenHash: id };
    });
    const { db } = world.services;
    await db
      .insertInto('pipelines')
      .values(copies as never)
      .execute();
    const { status, body } = await deliver(push('f', 'acme/mono'));
    expect([status, body.message]).toEqual([413, expect.stringMatching(/^The repository has 501 pipelines/)]);
    expect(
      await db.selectFrom('webhook_deliveries').select('id').where('pipelineId', '=', template.id).execute(),
    ).toEqual([]);
    await db
      .deleteFrom('pipelines')
      .where(
        'id',
        'in',
        copies.slice(1).map(({ id }) => id),
      )
      .execute();
    expect((await deliver(push('f', 'acme/mono'))).body.deliveries).toHaveLength(2);
  });
});
