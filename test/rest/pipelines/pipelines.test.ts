import { decodeNodeId } from '../../../src/domain/node-id.js';
import { expectGoldenKeys, expectShape } from '../reply-shape.js';
import { everyKind, RestWorld } from '../rest-world.js';

const all = '/organizations/acme/pipelines';

describe('pipelines', () => {
  let rest: RestWorld;
  beforeAll(async () => (rest = await RestWorld.create()));
  afterAll(() => rest.close());

  test('a pipeline with YAML is created and read in the documented shape', async () => {
    const created = await rest.post(all, {
      name: 'My App',
      repository: 'git@github.com:acme/app.git',
      cluster_id: '',
      configuration: everyKind,
      unknown_key: 1,
      default_branch: '',
      tags: [],
    });
    expect(created.status).toBe(201);
    expectShape('Pipeline', created.body);
    expectGoldenKeys('pipeline', created.body);
    expect(created.body).toMatchObject({
      url: `http://slipway.test/v2${all}/my-app`,
      web_url: 'http://slipway.test/acme/my-app',
      slug: 'my-app',
      cluster_id: rest.world.clusterId,
      default_branch: '',
      builds_url: `http://slipway.test/v2${all}/my-app/builds`,
      configuration: everyKind,
      env: { TIER: 'one' },
      visibility: 'private',
      tags: [],
      archived_at: null,
      provider: {
        id: 'github',
        settings: expect.objectContaining({ repository: 'acme/app', trigger_mode: 'code' }),
        webhook_url: expect.stringMatching(/^http:\/\/slipway\.test\/webhooks\/deliver\/[0-9a-f]{50}$/),
      },
      badge_url: expect.stringMatching(/^http:\/\/slipway\.test\/badge\/[0-9a-f]{50}\.svg$/),
      scheduled_builds_count: 0,
      running_jobs_count: 0,
    });
    expect(created.body.steps.map((step: { type: string }) => step.type)).toEqual([
      'script',
      'waiter',
      'manual',
      'trigger',
    ]);
    expect(decodeNodeId(created.body.graphql_id)).toEqual({ kind: 'Pipeline', uuid: created.body.id });
    const read = await rest.get(`${all}/my-app`);
    expect(read.text).toBe(created.text);
    const again = await rest.get(`${all}/my-app`).set('If-None-Match', String(read.headers['etag']));
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('a pipeline with visual steps has no configuration and shows its environment beside the steps', async () => {
    const steps = [
      { type: 'script', name: 'Test', command: 'make' },
      { type: 'waiter' },
      { type: 'trigger', label: 'go', trigger_project_slug: 'x', trigger_async: true },
    ];
    const { body, status } = await rest.post(all, {
      name: 'Visual',
      repository: 'https://example.com/a.git',
      cluster_id: rest.world.clusterId,
      steps,
      env: { A: '1' },
    });
    expect(status).toBe(201);
    expectShape('Pipeline', body);
    expect(body).not.toHaveProperty('configuration');
    expect(body.env).toEqual({ A: '1' });
    expect(body.steps[0]).toMatchObject({
      type: 'script',
      name: 'Test',
      command: 'make',
      concurrency: null,
      parallelism: null,
    });
    expect(body.steps[2]).toMatchObject({
      type: 'trigger',
      pipeline: 'x',
      async: true,
      build: { message: null, branch: null, commit: null, env: null },
    });
  });

  test('a refusal names the invalid fields of a pipeline as they were sent', async () => {
    const missing = await rest.post(all, { name: 'No steps', repository: 'git@example.com:a/b.git' });
    expect([missing.status, missing.body]).toEqual([
      422,
      {
        message: 'Validation Failed',
        errors: [{ field: 'configuration', code: 'Step configuration is missing, expected `steps: { yaml: "..." }`' }],
      },
    ]);
    const wrong = await rest.post(all, {
      name: 'x',
      repository: 'git@example.com:a/b.git',
      configuration: 'steps: []',
      cluster_id: 'none',
      provider_settings: [],
    });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors.map((error: { field: string }) => error.field)).toContain('provider_settings');
  });

  test('pipelines are updated, archived, unarchived and deleted', async () => {
    await rest.post(all, { name: 'Old Name', repository: 'git@example.com:a/b.git', configuration: 'steps: [wait]' });
    const renamed = await rest
      .request('patch', `${all}/old-name`)
      .send({ name: 'New Name', default_command_step_timeout: 5 });
    expect([renamed.status, renamed.body.slug, renamed.body.default_command_step_timeout]).toEqual([
      200,
      'new-name',
      5,
    ]);
    const archived = await rest.request('post', `${all}/new-name/archive`);
    expect([archived.status, archived.body.archived_at]).toEqual([200, '2026-01-02T03:04:05.000Z']);
    expect((await rest.request('post', `${all}/new-name/unarchive`)).body.archived_at).toBeNull();
    const deleted = await rest
      .request('delete', `${all}/new-name`)
      .set('Content-Type', 'application/json')
      .send('null');
    expect([deleted.status, deleted.text, deleted.headers['cache-control']]).toEqual([204, '', 'no-cache']);
    expect((await rest.get(`${all}/new-name`)).status).toBe(404);
  });

  test('the pipeline list is filtered by a part of name or repository, ignoring case', async () => {
    const slugs = async (query: string) =>
      (await rest.get(`${all}?${query}`)).body.map((pipeline: { slug: string }) => pipeline.slug);
    expect(await slugs('name=MY')).toEqual(['my-app']);
    expect(await slugs('repository=ACME')).toEqual(['my-app']);
    expect(await slugs('name=nothing')).toEqual([]);
  });

  test('a token without write_pipelines is not shown the webhook URL', async () => {
    const reader = await rest.world.personWithToken(rest.world.admin.id, rest.world.admin.email, {
      scopes: ['read_pipelines'],
    });
    expect((await rest.get(`${all}/my-app`, reader)).body.provider.webhook_url).toBe('');
  });

  test('the pipeline list runs the same number of statements however long it is', async () => {
    for (let made = 0; made < 10; made += 1) await rest.world.pipeline(everyKind, { createdById: rest.world.admin.id });
    // From here on each page has pipelines that are kept and others that are not.
    await rest.get(`${all}?per_page=1`);
    const few = await rest.statements(() => rest.get(`${all}?per_page=2`));
    const many = await rest.statements(() => rest.get(`${all}?per_page=10`));
    expect(many).toBe(few);
  });
});

describe('pipelines where teams are enabled', () => {
  let rest: RestWorld;
  beforeAll(async () => (rest = await RestWorld.create({ teamsEnabled: true })));
  afterAll(() => rest.close());

  test('the webhook URL is shown to people who may edit the pipeline, in lists too', async () => {
    const { world } = rest;
    const organizationId = world.organization.id;
    const teamId = await world.insert('teams', { organizationId, slug: 'crew', name: 'Crew' } as never);
    await world.insert('team_members', { organizationId, teamId, userId: world.member.id, role: 'member' } as never);
    for (const [slug, accessLevel] of [
      ['edit', 'manage_build_and_read'],
      ['look', 'read_only'],
    ] as const) {
      const pipeline = await world.pipeline('steps: [wait]', { slug });
      await world.insert('team_pipelines', { organizationId, teamId, pipelineId: pipeline.id, accessLevel } as never);
    }
    const { body } = await rest.get(all, world.member);
    const shown = Object.fromEntries(
      body.map((pipeline: { slug: string; provider: { webhook_url: string } }) => [
        pipeline.slug,
        pipeline.provider.webhook_url !== '',
      ]),
    );
    expect(shown).toEqual({ edit: true, look: false });
    expect((await rest.get(`${all}/edit`, world.member)).body.provider.webhook_url).not.toBe('');
    expect((await rest.request('delete', `${all}/look`, world.member)).body).toEqual({ message: 'Forbidden' });
  });
});
