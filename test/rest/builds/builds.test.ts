import { decodeNodeId } from '../../../src/domain/node-id.js';
import { expectGoldenKeys, expectShape } from '../reply-shape.js';
import { everyKind, RestWorld } from '../rest-world.js';

let rest: RestWorld;
beforeAll(async () => {
  rest = await RestWorld.create();
  await rest.world.pipeline(everyKind, { slug: 'app', createdById: rest.world.admin.id });
  await rest.world.pipeline('steps: [{ command: "true" }]', { slug: 'downstream' });
  await rest.world.pipeline('steps: [', { slug: 'broken' });
});
afterAll(() => rest.close());

const builds = '/organizations/acme/pipelines/app/builds';
const create = (body: object = {}, pipeline = 'app') =>
  rest.post(`/organizations/acme/pipelines/${pipeline}/builds`, { commit: 'HEAD', branch: 'main', ...body });

describe('a build', () => {
  test('a build is created, read and listed in the documented shape', async () => {
    const created = await create({
      message: 'Hello',
      env: { A: '1' },
      meta_data: { release: 'v1', n: 2 },
      author: {},
      clean_checkout: false,
      ignore_pipeline_branch_filters: false,
      unknown_key: 1,
    });
    expect(created.status).toBe(201);
    expectShape('Build', created.body);
    expectGoldenKeys('build', created.body);
    expectGoldenKeys('pipeline', created.body.pipeline);
    expectGoldenKeys('user', created.body.creator);
    expect(created.body).toMatchObject({
      number: 1,
      state: 'scheduled',
      blocked: false,
      blocked_state: null,
      message: 'Hello',
      commit: 'HEAD',
      branch: 'main',
      source: 'api',
      env: { A: '1' },
      meta_data: { release: 'v1', n: '2' },
      pull_request: {},
      rebuilt_from: null,
      triggered_from: null,
      cancel_reason: null,
      url: 'http://slipway.test/v2/organizations/acme/pipelines/app/builds/1',
      web_url: 'http://slipway.test/acme/app/builds/1',
      creator: { id: rest.world.admin.id, email: rest.world.admin.email },
      created_at: '2026-01-02T03:04:05.000Z',
    });
    expect(created.body.job_state_counts).toBeUndefined();
    expect(decodeNodeId(created.body.graphql_id)).toEqual({ kind: 'Build', uuid: created.body.id });
    const read = await rest.get(`${builds}/1`);
    expect(read.body).toEqual({ ...created.body, job_state_counts: { total: 4, states: expect.any(Object) } });
    const listed = await rest.get(builds);
    expect(listed.body).toEqual([created.body]);
  });

  test('a build shows its jobs in pipeline order, each in the shape of its type', async () => {
    const { body } = await create();
    expect(body.jobs.map((job: { type: string }) => job.type)).toEqual(['script', 'waiter', 'manual', 'trigger']);
    for (const job of body.jobs) expectGoldenKeys(job.type, job);
    const [script, waiter, manual, trigger] = body.jobs;
    expect(script).toMatchObject({
      name: ':hammer: build',
      step_key: 'build',
      command: 'make',
      artifact_paths: 'dist/*',
      state: 'scheduled',
      exit_status: null,
      agent: null,
      priority: { number: 0 },
      step: { id: expect.any(String), signature: null },
      retried: false,
      retries_count: null,
      matrix: null,
      build_url: body.url,
      web_url: `${body.web_url}#${script.id}`,
      log_url: `${body.url}/jobs/${script.id}/log`,
      raw_log_url: `${body.url}/jobs/${script.id}/log.txt`,
      cluster_id: rest.world.clusterId,
      cluster_queue_id: rest.world.queues.default,
      cluster_queue_url: `http://slipway.test/v2/organizations/acme/clusters/${rest.world.clusterId}/queues/${rest.world.queues.default}`,
    });
    expect(Object.keys(waiter)).toEqual(['id', 'graphql_id', 'type']);
    expect(manual).toMatchObject({
      label: 'Release?',
      step_key: 'gate',
      unblockable: false,
      unblocked_by: null,
      web_url: null,
      unblock_url: `${body.url}/jobs/${manual.id}/unblock`,
    });
    expect(trigger).toMatchObject({ name: 'deploy', async: false, triggered_build: null });
  });

  test('a blocked build keeps its previous state and shows blocked as true', async () => {
    const { body } = await create();
    const { db } = rest.world.services;
    await db
      .updateTable('builds')
      .set({ state: 'blocked', blockedState: 'failed' })
      .where('id', '=', body.id)
      .execute();
    expect((await rest.get(`${builds}/${body.number}`)).body).toMatchObject({
      state: 'failed',
      blocked: true,
      blocked_state: 'failed',
    });
    expect((await rest.get(`${builds}?state=blocked`)).body.map((build: { number: number }) => build.number)).toEqual([
      body.number,
    ]);
  });

  test('a build of a pull request shows the number as text', async () => {
    const { body } = await create({ pull_request_id: 42, pull_request_base_branch: 'main' });
    expect(body.pull_request).toEqual({ id: '42', base: 'main', repository: null });
  });

  test('a rebuild refers to the first build, and a build can be canceled once', async () => {
    const { body } = await create({ message: 'again' });
    const rebuilt = await rest.put(`${builds}/${body.number}/rebuild`);
    expect([rebuilt.status, rebuilt.body.rebuilt_from]).toEqual([
      200,
      { id: body.id, number: body.number, url: body.url },
    ]);
    const canceled = await rest.put(`${builds}/${rebuilt.body.number}/cancel`);
    expect([canceled.status, canceled.body.state]).toEqual([200, 'canceled']);
    const again = await rest.put(`${builds}/${rebuilt.body.number}/cancel`);
    expect([again.status, again.body]).toEqual([
      422,
      { message: "Build can't be canceled because it's already finished." },
    ]);
  });

  test('creating a build without commit and branch is refused with both fields named', async () => {
    const reply = await rest.post(builds, {});
    expect([reply.status, reply.body]).toEqual([
      422,
      {
        message: 'Validation Failed',
        errors: [
          { field: 'commit', code: 'missing' },
          { field: 'branch', code: 'missing' },
        ],
      },
    ]);
  });

  test('one Idempotency-Key makes one build and returns the first reply again', async () => {
    const send = () => create({ message: 'once' }).set('Idempotency-Key', 'build-once');
    const first = await send();
    const second = await send();
    expect([second.status, second.text]).toEqual([201, first.text]);
  });
});

describe('lists of builds', () => {
  test.each([
    ['state=scheduled&branch=main', 200],
    ['state[]=scheduled&state[]=passed', 200],
    ['state%5B%5D=nonsense', 400],
    ['created_from=2026-01-01T00:00:00Z', 200],
    ['created_from=2026-01-01T00%3A00%3A00%2B01:00', 200],
    ['created_from=yesterday', 400],
    ['include_retried_jobs=True&exclude_jobs=true', 200],
    ['include_retried_jobs=perhaps', 400],
    ['meta_data[release]=v1', 200],
    ['meta_data=v1', 400],
    ['page=0&per_page=100', 200],
    ['page=abc', 400],
    ['per_page=1000', 200],
    ['page=999999999', 400],
    ['whatever=1&access_token=x', 200],
  ])('a build list filtered by %s answers %i', async (query, status) => {
    for (const path of ['/builds', '/organizations/acme/builds', builds])
      expect([path, (await rest.get(`${path}?${query}`)).status]).toEqual([path, status]);
  });

  test('build lists are linked page by page with their filters and end in an empty page', async () => {
    const first = await rest.get(`${builds}?state[]=scheduled&state[]=canceled&per_page=2&page=0`);
    expect(first.body).toHaveLength(2);
    const link = String(first.headers['link']);
    expect(link).toMatch(
      /^<http:\/\/slipway\.test\/v2\/organizations\/acme\/pipelines\/app\/builds\?page=2&per_page=2&state%5B%5D=scheduled&state%5B%5D=canceled>; rel="next", <[^>]*page=\d+&per_page=2[^>]*>; rel="last"$/,
    );
    const next = await rest.get(/<http:\/\/slipway\.test\/v2([^>]*)>; rel="next"/.exec(link)?.[1] ?? '');
    expect(next.body[0].number).toBeLessThan(first.body[1].number);
    const beyond = await rest.get(`${builds}?page=50`);
    expect([beyond.status, beyond.body]).toEqual([200, []]);
    expect(beyond.headers['link']).not.toContain('next');
  });

  test("the list of all builds covers the caller's organizations, not other public pipelines", async () => {
    await rest.world.pipeline('steps: [{ command: "true" }]', { slug: 'open', visibility: 'public' });
    const made = await create({}, 'open');
    expect(made.status).toBe(201);
    expect((await rest.get('/organizations/acme/pipelines/open/builds', rest.world.outsider)).body).toHaveLength(1);
    expect((await rest.get('/builds', rest.world.outsider)).body).toEqual([]);
    expect((await rest.get('/builds?per_page=1')).body[0].id).toBe(made.body.id);
  });

  test('build lists omit jobs and pipelines on request', async () => {
    const { body } = await rest.get(`${builds}?exclude_jobs=true&exclude_pipeline=true&per_page=1`);
    expect([body[0].jobs, body[0].pipeline]).toEqual([undefined, undefined]);
    expect((await rest.get(`${builds}/1?exclude_jobs=true`)).body).toMatchObject({ job_state_counts: { total: 4 } });
  });

  test('a single build shows only jobs in the requested states', async () => {
    const { body } = await rest.get(`${builds}/1?job_states[]=scheduled`);
    expect(body.jobs.map((job: { state: string }) => job.state)).toEqual(['scheduled']);
    expect((await rest.get(`${builds}/1?job_states[]=nonsense`)).status).toBe(400);
  });

  test('a pipeline with invalid YAML does not prevent its list from being shown', async () => {
    const { body, status } = await rest.get('/organizations/acme/pipelines');
    expect([status, body.find((pipeline: { slug: string }) => pipeline.slug === 'broken').steps]).toEqual([200, []]);
  });

  test('the build list runs the same number of statements however many builds are shown', async () => {
    for (let made = 0; made < 30; made += 1) await create();
    const { fragmentCache } = rest.world.services;
    const statements = (query: string) => rest.statements(() => rest.get(`${builds}?${query}`));
    fragmentCache?.clear();
    const few = await statements('per_page=3');
    fragmentCache?.clear();
    const many = await statements('per_page=30');
    expect(many).toBe(few);
    expect(many).toBeLessThanOrEqual(12);
    // Nothing has changed: the list, what was it made of, and the pages there are.
    expect(await statements('per_page=30')).toBeLessThanOrEqual(5);
  }, 60_000);
});

describe('wrong fields of a new build', () => {
  const half = '\ud800';
  const rows: [string, object, string, string][] = [
    ['null for the commit', { commit: null }, 'commit', 'missing'],
    ['a blank branch', { branch: '' }, 'branch', 'missing'],
    ['a number for the commit', { commit: 5 }, 'commit', 'must be a string'],
    ['half a character in the message', { message: half }, 'message', 'contains characters that cannot be stored'],
    [
      'half a character in the environment',
      { env: { A: { deep: [half] } } },
      'env',
      'contains characters that cannot be stored',
    ],
    [
      'a null character in a key of the meta-data',
      { meta_data: { 'a\0': '1' } },
      'meta_data',
      'contains characters that cannot be stored',
    ],
    [
      'half a character in the author',
      { author: { name: half } },
      'author.name',
      'contains characters that cannot be stored',
    ],
    ['a text for the author', { author: 'me' }, 'author', 'must be an object with name and email'],
    ['a list for the environment', { env: [] }, 'env', 'must be an object'],
    [
      'an invalid name of a variable',
      { env: { 'A=B': '1' } },
      'env',
      'has a name that no environment variable can have',
    ],
    ['an object in the meta-data', { meta_data: { a: { b: 1 } } }, 'meta_data.a', 'must be a string'],
    [
      'a nameless key of the meta-data',
      { meta_data: { '': '1' } },
      'meta_data',
      'must have keys of 1 to 255 characters',
    ],
    ['a text for a flag', { clean_checkout: 'yes' }, 'clean_checkout', 'must be true or false'],
    ['no pull request number', { pull_request_id: 0 }, 'pull_request_id', 'must be a pull request number'],
    ['a text for labels', { pull_request_labels: 'bug' }, 'pull_request_labels', 'must be a list of strings'],
    ['a branch that is too long', { branch: 'b'.repeat(256) }, 'branch', 'is too long (maximum is 255 characters)'],
  ];

  test.each(rows)(
    "creating a build with %s is refused by the field's name and makes no build",
    async (_name, body, field, code) => {
      const count = async () =>
        Number(
          (
            await rest.world.services.db
              .selectFrom('builds')
              .select((eb) => eb.fn.countAll().as('n'))
              .executeTakeFirstOrThrow()
          ).n,
        );
      const before = await count();
      const reply = await create(body);
      expect([reply.status, reply.body]).toEqual([422, { message: 'Validation Failed', errors: [{ field, code }] }]);
      expect(await count()).toBe(before);
    },
  );
});
