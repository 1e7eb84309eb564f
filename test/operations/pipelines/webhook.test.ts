import { unseal } from '../../../src/auth/sealed.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { FakeGithub } from '../../support/fake-github.js';
import { webhookTokenOf } from '../../../src/resources/pipelines/url-token.js';

const acme = '/organizations/acme';
const steps = 'steps:\n  - command: "true"\n';

let surfaces: BothSurfaces;
let github: FakeGithub;
beforeAll(async () => {
  surfaces = await BothSurfaces.open({ teamsEnabled: true });
  github = await FakeGithub.start();
});
afterAll(async () => {
  await github.stop();
  await surfaces.close();
});
const db = () => surfaces.world.services.db;
const connect = (more: object = {}) =>
  surfaces.read([
    'post',
    `${acme}/provider-connections`,
    { provider: 'github', api_url: github.url, token: github.token, ...more },
  ]);
const create = (slug: string) => surfaces.rest(['post', `${acme}/pipelines/${slug}/webhook`]);

describe('POST webhook [api-v2:jjlhok]', () => {
  beforeEach(async () => {
    await db().deleteFrom('provider_connections').execute();
    github.hooks.length = 0;
    github.requests.length = 0;
  });

  test('POST webhook answers 201 and creates a webhook at the provider whose deliveries must be signed from then on', async () => {
    await connect();
    const pipeline = await surfaces.world.pipeline(steps);
    const { status, body } = await create(pipeline.slug);
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        url: `http://slipway.test/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`,
        provider: 'github',
        repository: 'acme/app',
        created_at: expect.any(String),
      },
    ]);
    const [hook] = github.hooks;
    expect(hook).toMatchObject({
      repository: 'acme/app',
      events: expect.arrayContaining(['push', 'pull_request', 'merge_group']),
      config: { url: body.url, content_type: 'json', insecure_ssl: '0' },
    });
    const row = await db()
      .selectFrom('pipeline_webhooks')
      .selectAll()
      .where('pipelineId', '=', pipeline.id)
      .executeTakeFirstOrThrow();
    expect(unseal(surfaces.world.services.secretKey, 'webhook-secret', row.secret ?? '')).toBe(hook?.config.secret);
    const told = JSON.stringify([
      body,
      await db().selectFrom('audit_events').selectAll().execute(),
      await db().selectFrom('events').selectAll().execute(),
    ]);
    expect(told).not.toContain(hook?.config.secret);
    expect(told).not.toContain(github.token);

    const query =
      'query ($id: ID!) { node(id: $id) { ... on Pipeline { repository { provider { __typename ... on RepositoryProviderGithub { webhook { externalId url provider { name } } } } } } } }';
    const { node } = await surfaces.select([
      query,
      { id: Buffer.from(`Pipeline---${pipeline.id}`).toString('base64') },
    ]);
    expect(node.repository.provider).toEqual({
      __typename: 'RepositoryProviderGithub',
      webhook: { externalId: body.id, url: body.url, provider: { name: 'GitHub' } },
    });

    const repeated = await create(pipeline.slug);
    expect([repeated.status, repeated.body]).toEqual([
      422,
      { message: 'Webhooks could not be created for your repository.' },
    ]);
    const mutation =
      'mutation ($input: PipelineDeleteWebhookInput!) { pipelineDeleteWebhook(input: $input) { deletedWebhookExternalId pipeline { slug } } }';
    expect(
      (await surfaces.graphql([mutation, { input: { id: pipeline.id, repository: 'another/one' } }])).errors?.[0]
        .extensions.code,
    ).toBe('NOT_FOUND');
    expect(
      (await surfaces.select([mutation, { input: { id: pipeline.id, repository: 'acme/app' } }])).pipelineDeleteWebhook,
    ).toEqual({ deletedWebhookExternalId: body.id, pipeline: { slug: pipeline.slug } });
    expect([
      github.hooks,
      (await surfaces.rest(['delete', `${acme}/pipelines/${pipeline.slug}/webhook`])).status,
    ]).toEqual([[], 404]);
  });

  test('POST webhook answers 422 for a repository without a connection or of another provider [api-v2:ofhefo]', async () => {
    const unsupported = [422, { message: 'Auto-creating webhooks is not supported for your repository.' }];
    const lonely = await surfaces.world.pipeline(steps);
    const first = await create(lonely.slug);
    expect([first.status, first.body]).toEqual(unsupported);
    await connect();
    for (const [providerId, repository] of [
      ['gitlab', 'https://gitlab.com/acme/app.git'],
      ['git', '/srv/app.git'],
      ['github_enterprise', 'https://github.acme.test/acme/app.git'],
    ]) {
      const pipeline = await surfaces.world.pipeline(steps, {
        providerId: providerId ?? '',
        repository: repository ?? '',
      });
      const { status, body } = await create(pipeline.slug);
      expect([status, body]).toEqual(unsupported);
    }
    expect(github.requests).toEqual([]);
  });

  test("POST webhook uses the connection of the repository's own Enterprise Server host", async () => {
    await connect({ provider: 'github_enterprise', host: 'GitHub.acme.test' });
    const pipeline = await surfaces.world.pipeline(steps, {
      providerId: 'github_enterprise',
      repository: 'git@github.acme.test:acme/app.git',
    });
    expect((await create(pipeline.slug)).status).toBe(201);
    expect(github.hooks[0]?.repository).toBe('acme/app');
  });

  test.each<[string, number[], number]>([
    ['a webhook exists', [422], 1],
    ['the token has no permission', [403], 1],
    ['the repository is not found', [404], 1],
    ['a redirect', [302], 1],
    ['errors that persist', [502, 503], 2],
  ])(
    'a refusal by the provider (%s) is answered 422 and leaves nothing behind [api-v2:nmlddn]',
    async (_what, failures, requests) => {
      await connect();
      const pipeline = await surfaces.world.pipeline(steps);
      const before = await surfaces.rows(['pipeline_webhooks', 'events', 'audit_events']);
      github.failures.push(...failures);
      const { status, body } = await create(pipeline.slug);
      expect([status, body]).toEqual([422, { message: 'Webhooks could not be created for your repository.' }]);
      expect(await surfaces.rows(['pipeline_webhooks', 'events', 'audit_events'])).toEqual(before);
      expect(github.requests).toHaveLength(requests);
    },
  );

  test('POST webhook retries once when the provider is busy', async () => {
    await connect();
    const pipeline = await surfaces.world.pipeline(steps);
    github.failures.push(503);
    expect((await create(pipeline.slug)).status).toBe(201);
  });

  test('POST webhook answers 403 to callers who may not edit the pipeline and 404 to strangers [api-v2:kglbjg]', async () => {
    await connect();
    const { world } = surfaces;
    const pipeline = await world.pipeline(steps);
    const path = `${acme}/pipelines/${pipeline.slug}/webhook`;
    const teamId = await world.insert('teams', {
      organizationId: world.organization.id,
      slug: 'readers',
      name: 'Readers',
    });
    await world.insert('team_members', {
      organizationId: world.organization.id,
      teamId,
      userId: world.member.id,
      role: 'member',
    });
    await world.insert('team_pipelines', {
      organizationId: world.organization.id,
      teamId,
      pipelineId: pipeline.id,
      accessLevel: 'build_and_read',
    });
    const [forbidden, hidden] = [
      await surfaces.rest(['post', path], world.member),
      await surfaces.rest(['post', path], world.outsider),
    ];
    expect([forbidden.status, forbidden.body, hidden.status, hidden.body]).toEqual([
      403,
      { message: 'Forbidden' },
      404,
      { message: 'Not Found' },
    ]);
    expect(github.hooks).toEqual([]);
  });
});

describe('connections to source providers', () => {
  test('administrators create and delete provider connections, members read them, and no surface shows their token', async () => {
    await db().deleteFrom('provider_connections').execute();
    const made = await connect();
    expect(made).toEqual({
      id: expect.any(String),
      url: `http://slipway.test/v2${acme}/provider-connections/${made.id}`,
      provider: 'github',
      name: 'github.com',
      host: 'github.com',
      api_url: github.url,
      username: null,
      app_id: null,
      has_webhook_secret: false,
      webhook_url: `http://slipway.test/webhooks/connections/${made.id}`,
      failing_since: null,
      last_error: null,
      last_error_at: null,
      created_at: expect.any(String),
    });
    const { world } = surfaces;
    expect(await surfaces.read(['get', `${acme}/provider-connections`], world.member)).toEqual([made]);
    expect(await surfaces.read(['get', `${acme}/provider-connections/${made.id}`], world.member)).toEqual(made);
    const query =
      'query ($uuid: ID!) { organization(slug: "acme") { providerConnection(uuid: $uuid) { uuid provider host apiUrl createdAt } providerConnections { count nodes { uuid } } } }';
    const { organization } = await surfaces.select([query, { uuid: made.id }]);
    const { uuid, provider, host, apiUrl, createdAt } = organization.providerConnection;
    expect(made).toMatchObject({ id: uuid, provider, host, api_url: apiUrl, created_at: createdAt });
    expect(organization.providerConnections).toEqual({ count: 1, nodes: [{ uuid: made.id }] });
    const row = await db().selectFrom('provider_connections').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(github.token);

    expect(
      (await surfaces.rest(['post', `${acme}/provider-connections`, { provider: 'github', token: 'x' }])).body,
    ).toEqual({ message: 'Validation Failed', errors: [{ field: 'host', code: 'has a connection already' }] });
    for (const call of [
      ['post', `${acme}/provider-connections`, { provider: 'github', token: 'x' }],
      ['delete', `${acme}/provider-connections/${made.id}`],
    ] as const) {
      expect((await surfaces.rest([...call] as Data, world.member)).status).toBe(403);
      expect((await surfaces.rest([...call] as Data, world.outsider)).status).toBe(404);
    }
    expect((await surfaces.rest(['delete', `${acme}/provider-connections/${made.id}`])).status).toBe(204);
    expect((await surfaces.rest(['get', `${acme}/provider-connections/${made.id}`])).status).toBe(404);
  });
});
