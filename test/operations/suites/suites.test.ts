import { endTestStates } from '../../../src/background/suites/end-test-states.js';
import { encodeNodeId } from '../../../src/domain/node-id.js';
import { runUntilIdle } from '../../support/run-until-idle.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { newSuite, result, upload } from '../../support/suites.js';
import type { Person } from '../../support/world.js';

let surfaces: BothSurfaces;
let readOnly: Person;
const all = '/analytics/organizations/acme/suites';
beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  const { world } = surfaces;
  readOnly = await world.personWithToken(world.member.id, world.member.email, { scopes: ['read_suites'] });
});
afterAll(() => surfaces.close());

const hidden = { status: 404, body: { message: 'Not Found' } };
const invalid = (reason: string) => ({ status: 422, body: { message: `Validation failed: ${reason}` } });

describe('a test suite', () => {
  test('a test suite is created with its own slug and with an upload token that is shown on request', async () => {
    const body = {
      name: 'Front End',
      default_branch: 'main',
      application_name: 'App',
      color: '#aabbcc',
      emoji: ':jest:',
      show_api_token: true,
      unknown: 1,
    };
    const { status, body: suite } = await surfaces.rest(['post', all, body], surfaces.world.member);
    expect([status, suite]).toEqual([
      201,
      {
        id: expect.any(String),
        graphql_id: Buffer.from(`Suite---${suite.id}`).toString('base64'),
        organization_id: surfaces.world.organization.id,
        slug: 'front-end',
        name: 'Front End',
        url: `http://slipway.test/v2${all}/front-end`,
        web_url: 'http://slipway.test/organizations/acme/analytics/suites/front-end',
        default_branch: 'main',
        application_name: 'App',
        color: '#aabbcc',
        emoji: ':jest:',
        oidc_policy: null,
        api_token: expect.stringMatching(/^[\w-]{24}$/),
      },
    ]);
    const { api_token: token, ...rest } = suite;
    expect(await surfaces.read(['get', `${all}/front-end`])).toEqual(rest);
    expect(await surfaces.read(['get', `${all}/front-end?show_api_token=true`])).toEqual({ ...rest, api_token: token });
    const row = await surfaces.world.services.db
      .selectFrom('suites')
      .selectAll()
      .where('id', '=', suite.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(token);
  });

  test("a suite's upload token is hidden from callers who may not write suites, and after provisioning replaced it", async () => {
    await newSuite(surfaces, 'Tokens');
    expect((await surfaces.rest(['get', `${all}/tokens?show_api_token=true`], readOnly)).status).toBe(403);
    expect((await surfaces.rest(['get', `${all}/tokens`], readOnly)).status).toBe(200);
    await surfaces.world.services.db
      .updateTable('suites')
      .set({ tokenHash: 'of another token' })
      .where('slug', '=', 'tokens')
      .execute();
    expect(await surfaces.read(['get', `${all}/tokens?show_api_token=true`])).toMatchObject({ api_token: null });
  });

  test.each<[object, string]>([
    [{ default_branch: 'main' }, 'Name is missing'],
    [{ name: 'X' }, 'Default branch is missing'],
    [{ name: ' ', default_branch: 'main' }, "Name can't be blank"],
    [{ name: '🚀', default_branch: 'main' }, 'Name has no letter or digit to make a slug from'],
    [{ name: 'front end', default_branch: 'main' }, 'Name has already been taken'],
    [{ name: 'Y', default_branch: 'main', color: 'red' }, 'Color must be a color such as #1a2b3c'],
  ])('a test suite with %j is refused', async (body, reason) => {
    expect(await surfaces.rest(['post', all, body])).toMatchObject(invalid(reason));
  });

  test('updating a test suite changes only the given fields and keeps the slug, and null clears a field', async () => {
    await newSuite(surfaces, 'Before');
    const changed = await surfaces.read(['patch', `${all}/before`, { name: 'After', emoji: ':x:' }]);
    expect(changed).toMatchObject({ slug: 'before', name: 'After', default_branch: 'main', emoji: ':x:' });
    expect(await surfaces.read(['patch', `${all}/before`, { emoji: null }])).toMatchObject({
      name: 'After',
      emoji: null,
    });
    expect(await surfaces.rest(['patch', `${all}/before`, { name: null }])).toMatchObject(
      invalid('Name must be a string'),
    );
  });

  test('blank text clears the color and the name of the application, as null does', async () => {
    const fields = { name: 'Colored', default_branch: 'main', color: '#aabbcc', application_name: 'App' };
    await surfaces.read(['post', all, fields]);
    const blank = { color: '', application_name: '' };
    const cleared = { color: null, application_name: null };
    expect(await surfaces.read(['patch', `${all}/colored`, blank])).toMatchObject(cleared);
    expect(await surfaces.read(['post', all, { ...fields, ...blank, name: 'Colorless' }])).toMatchObject(cleared);
  });

  test('test suites are listed newest first, in pages', async () => {
    const names = (await surfaces.read(['get', `${all}?per_page=100`])).map((suite: Data) => suite.slug);
    expect(names.slice(-1)).toEqual(['front-end']);
    expect(await surfaces.read(['get', `${all}?per_page=1&page=2`])).toMatchObject([{ slug: names[1] }]);
  });

  test('a test suite of another organization is hidden', async () => {
    const { outsider } = surfaces.world;
    for (const path of ['/front-end', '/nothing', '/front-end/runs', '/front-end/tests']) {
      expect(await surfaces.rest(['get', all + path], outsider)).toMatchObject(hidden);
    }
    expect(await surfaces.rest(['get', `${all}/nothing`])).toMatchObject(hidden);
    expect(await surfaces.rest(['delete', `${all}/front-end`], outsider)).toMatchObject(hidden);
    expect((await surfaces.graphql(['{ suite(slug: "acme/front-end") { uuid } }'], outsider)).data).toEqual({
      suite: null,
    });
  });

  test('deleting a test suite deletes its data and token, and keeps its events', async () => {
    const { db } = surfaces.world.services;
    const kept = await newSuite(surfaces, 'Kept');
    const gone = await newSuite(surfaces, 'Gone');
    for (const { authorization } of [kept, gone])
      await upload(surfaces, authorization, 'K', [result('a'), result('b', { result: 'failed' })]);
    expect((await surfaces.rest(['delete', gone.path], readOnly)).status).toBe(403);
    expect((await surfaces.rest(['delete', gone.path])).status).toBe(204);
    expect(await surfaces.rest(['get', gone.path])).toMatchObject(hidden);
    await runUntilIdle(surfaces.world.services);
    for (const table of ['suite_runs', 'suite_uploads', 'suite_tests', 'suite_executions'] as const) {
      const rows = await db.selectFrom(table).select('suiteId').execute();
      expect(rows.filter((row) => row.suiteId === gone.id)).toEqual([]);
      expect(rows.filter((row) => row.suiteId === kept.id).length).toBeGreaterThan(0);
    }
    const events = await db
      .selectFrom('events')
      .select(['type', 'subjectId'])
      .where('subject', 'in', ['suite', 'run'])
      .execute();
    expect(events.filter((event) => event.subjectId === gone.id).map((event) => event.type)).toEqual([
      'suite.create',
      'suite.delete',
    ]);
    expect(events.filter((event) => event.type === 'run.state')).toHaveLength(1);
    expect((await surfaces.collector(gone.authorization).send({})).status).toBe(401);
    expect((await surfaces.rest(['delete', gone.path])).status).toBe(404);
  });
});

describe('suite runs', () => {
  let suite: Awaited<ReturnType<typeof newSuite>>;
  let build: Data;
  const runs: string[] = [];
  beforeAll(async () => {
    suite = await newSuite(surfaces, 'Runs');
    await surfaces.world.pipeline('steps: [{ command: make }]', { slug: 'app' });
    build = await surfaces.read([
      'post',
      '/organizations/acme/pipelines/app/builds',
      { commit: 'abc', branch: 'main' },
    ]);
    const first = await upload(surfaces, suite.authorization, build.id, [
      result('a'),
      result('b', {
        result: 'failed',
        failure_reason: 'expected 1',
        failure_expanded: [{ expanded: ['line'], backtrace: ['b.rb:2'] }],
        location: 'b.rb:2',
        tags: { os: 'linux' },
      }),
    ]);
    const second = await upload(surfaces, suite.authorization, 'K', [result('a')], {
      runEnv: { branch: 'topic', commit_sha: 'def', message: 'Message' },
    });
    runs.push(first.run_id, second.run_id);
  });

  test('suite runs are listed newest first, in pages [api-v2:ndhkka,kfpdaj,lapbji]', async () => {
    expect((await surfaces.read(['get', `${suite.path}/runs`])).map((run: Data) => run.id)).toEqual([runs[1], runs[0]]);
    expect((await surfaces.read(['get', `${suite.path}/runs?per_page=1`])).map((run: Data) => run.id)).toEqual([
      runs[1],
    ]);
  });

  test('suite runs can be listed for one build [api-v2:lapbji]', async () => {
    expect(
      (await surfaces.read(['get', `${suite.path}/runs?build_id=${build.id}`])).map((run: Data) => run.id),
    ).toEqual([runs[0]]);
    expect(await surfaces.read(['get', `${suite.path}/runs?build_id=01900000-0000-7000-8000-000000000000`])).toEqual(
      [],
    );
    expect((await surfaces.rest(['get', `${suite.path}/runs?build_id=x`])).status).toBe(400);
  });

  test('a suite run is read with every field [api-v2:migoga,epgmjm,apbjjc,fgflek,pbfmei,bggfmj,cinifk,opphcl,gfkenc,mmbmld]', async () => {
    const url = `http://slipway.test/v2${suite.path}/runs/${runs[1]}`;
    expect(await surfaces.read(['get', `${suite.path}/runs/${runs[1]}`])).toEqual({
      id: runs[1],
      branch: 'topic',
      commit_sha: 'def',
      state: 'running',
      result: 'passed',
      url,
      web_url: `http://slipway.test/organizations/acme/analytics/suites/runs/runs/${runs[1]}`,
      build_id: null,
      created_at: '2026-01-02T03:04:05.000Z',
    });
    expect(await surfaces.read(['get', `${suite.path}/runs/${runs[0]}`])).toMatchObject({
      result: 'failed',
      branch: 'main',
      commit_sha: 'abc',
      build_id: build.id,
    });
  });

  test('a run of another suite is hidden', async () => {
    const other = await newSuite(surfaces, 'Other');
    for (const path of [
      `${other.path}/runs/${runs[0]}`,
      `${suite.path}/runs/x`,
      `${suite.path}/runs/01900000-0000-7000-8000-000000000000`,
    ])
      expect(await surfaces.rest(['get', path])).toMatchObject(hidden);
    expect(await surfaces.rest(['get', `${suite.path}/runs/${runs[0]}`], surfaces.world.outsider)).toMatchObject(
      hidden,
    );
  });

  test('suite runs need the scope read_suites [api-v2:lapbji,mmbmld,lcnlpe]', async () => {
    const { world } = surfaces;
    const other = await world.personWithToken(world.admin.id, world.admin.email, {
      scopes: ['read_builds', 'write_suites'],
    });
    for (const path of [`${suite.path}/runs`, `${suite.path}/runs/${runs[0]}`]) {
      expect(await surfaces.rest(['get', path], other)).toMatchObject({
        status: 403,
        body: { message: "Your access token doesn't have the read_suites scope" },
      });
      expect((await surfaces.rest(['get', path], readOnly)).status).toBe(200);
    }
  });

  test('a suite run lists its failed executions', async () => {
    const path = `${suite.path}/runs/${runs[0]}`;
    const [failed, ...more] = await surfaces.read(['get', `${path}/failed_executions`]);
    const page = 'http://slipway.test/organizations/acme/analytics/suites/runs';
    expect([failed, more]).toEqual([
      {
        execution_id: expect.any(String),
        run_id: runs[0],
        test_id: expect.any(String),
        run_name: build.id,
        commit_sha: 'abc',
        created_at: '2026-01-02T03:04:05.000Z',
        branch: 'main',
        failure_reason: 'expected 1',
        duration: 0.5,
        location: 'b.rb:2',
        test_name: 'b',
        run_url: `${page}/runs/${runs[0]}`,
        test_url: `${page}/tests/${failed.test_id}`,
        test_execution_url: `${page}/tests/${failed.test_id}#${failed.execution_id}`,
        tags: { os: 'linux' },
      },
      [],
    ]);
    expect(await surfaces.read(['get', `${path}/failed_executions?include_failure_expanded=true`])).toEqual([
      { ...failed, failure_expanded: [{ expanded: ['line'], backtrace: ['b.rb:2'] }] },
    ]);
    expect(
      (await surfaces.read(['get', `${path}/executions?result=passed`])).map((each: Data) => [
        each.test_name,
        each.result,
      ]),
    ).toEqual([['a', 'passed']]);
    expect((await surfaces.rest(['get', `${path}/executions?result=x`])).status).toBe(422);
    expect((await surfaces.read(['get', `${suite.path}/runs/${runs[1]}`])).id).toBe(runs[1]);
  });

  test('a build lists its suite runs, for callers who may read suites', async () => {
    const path = '/organizations/acme/pipelines/app/builds';
    const runsOf = async (query: string, person?: Person) =>
      (await surfaces.read(['get', path + query], person)).test_engine;
    const listed = { runs: [{ id: runs[0], suite: { id: suite.id, slug: 'runs' } }] };
    expect(await runsOf('/1?include_test_engine=true')).toEqual(listed);
    expect((await surfaces.read(['get', `${path}?include_test_engine=True`]))[0].test_engine).toEqual(listed);
    expect(await runsOf('/1')).toBeUndefined();
    const other = await surfaces.world.personWithToken(surfaces.world.admin.id, surfaces.world.admin.email, {
      scopes: ['read_builds'],
    });
    expect(await runsOf('/1?include_test_engine=true', other)).toEqual({ runs: [] });
  });

  test('suite runs remain when their build is deleted, without a build', async () => {
    expect((await surfaces.rest(['delete', '/organizations/acme/pipelines/app'])).status).toBe(204);
    expect(await surfaces.read(['get', `${suite.path}/runs/${runs[0]}`])).toMatchObject({
      build_id: null,
      branch: 'main',
    });
  });
});

describe('the tests of a suite', () => {
  let suite: Awaited<ReturnType<typeof newSuite>>;
  const find = async (name: string) => surfaces.read(['post', `${suite.path}/tests/find`, { scope: 'a scope', name }]);
  beforeAll(async () => {
    suite = await newSuite(surfaces, 'Tests');
    await upload(surfaces, suite.authorization, '1', [
      result('a', { location: 'a.rb:1', file_name: 'a.rb' }),
      result('b'),
    ]);
    await upload(surfaces, suite.authorization, '2', [
      result('a', { result: 'failed', history: { duration: 1.5 } }),
      result('b', { result: 'skipped', history: {} }),
    ]);
  });

  test('a suite test is found by scope and name and carries its statistics', async () => {
    expect(await find('a')).toMatchObject({
      scope: 'a scope',
      name: 'a',
      location: 'a.rb:1',
      file_name: 'a.rb',
      labels: [],
      state: 'enabled',
      owners: [],
      state_until: null,
      reliability: 0.5,
      duration_avg: 1,
      duration_sum: 2,
      duration_min: 0.5,
      duration_max: 1.5,
      executions_count: 2,
      executions_count_by_result: { passed: 1, failed: 1, skipped: 0, pending: 0, unknown: 0 },
    });
    expect(await find('b')).toMatchObject({ reliability: 1, duration_avg: 0.5, executions_count: 2 });
    expect(await surfaces.rest(['post', `${suite.path}/tests/find`, { scope: 'a scope', name: 'c' }])).toMatchObject(
      hidden,
    );
    expect(await surfaces.rest(['post', `${suite.path}/tests/find`, {}])).toMatchObject(invalid('Name is missing'));
  });

  test("a suite test's executions are listed newest first", async () => {
    const { id } = await find('a');
    const history = await surfaces.read(['get', `${suite.path}/tests/${id}/executions`]);
    expect(history.map((each: Data) => [each.result, each.duration])).toEqual([
      ['failed', 1.5],
      ['passed', 0.5],
    ]);
    expect(await surfaces.read(['get', `${suite.path}/tests/${id}`])).toEqual(await find('a'));
  });

  test('suite tests are labeled, and listed by label', async () => {
    const { id } = await find('a');
    const label = (operator: string, labels: string[]) =>
      surfaces.read(['patch', `${suite.path}/tests/${id}/labels`, { operator, labels }]);
    expect((await label('add', ['slow', 'x', 'slow'])).labels).toEqual(['slow', 'x']);
    expect((await label('add', ['x'])).labels).toEqual(['slow', 'x']);
    expect((await surfaces.read(['get', `${suite.path}/tests?label=slow`])).map((each: Data) => each.name)).toEqual([
      'a',
    ]);
    expect(await surfaces.read(['get', `${suite.path}/tests?labels[]=slow&labels[]=y`])).toEqual([]);
    expect((await label('remove', ['slow', 'never'])).labels).toEqual(['x']);
    expect(
      await surfaces.rest(['patch', `${suite.path}/tests/${id}/labels`, { operator: 'set', labels: ['a'] }]),
    ).toMatchObject(invalid('Operator must be one of add, remove'));
    expect(
      (
        await surfaces.rest([
          'patch',
          `${suite.path}/tests/${id}/labels`,
          { operator: 'add', labels: Array.from({ length: 50 }, (_, index) => `l${index}`) },
        ])
      ).status,
    ).toBe(422);
    expect(
      (await surfaces.rest(['patch', `${suite.path}/tests/${id}/labels`, { operator: 'add', labels: ['a'] }], readOnly))
        .status,
    ).toBe(403);
  });

  test('suite tests are muted, skipped and enabled, and listed by state', async () => {
    const { id } = await find('b');
    const names = async (list: string) =>
      (await surfaces.read(['get', `${suite.path}/tests${list}`])).map((each: Data) => each.name);
    expect((await surfaces.read(['put', `${suite.path}/tests/${id}/mute`])).state).toBe('muted');
    expect([await names('/muted'), await names('/skipped'), await names('?state=enabled')]).toEqual([['b'], [], ['a']]);
    expect((await surfaces.read(['put', `${suite.path}/tests/${id}/skip`])).state).toBe('skipped');
    expect([await names('/muted'), await names('/skipped'), await names('')]).toEqual([[], ['b'], ['b', 'a']]);
    expect((await surfaces.read(['put', `${suite.path}/tests/${id}/enable`])).state).toBe('enabled');
    expect((await surfaces.read(['put', `${suite.path}/tests/${id}/enable`])).state).toBe('enabled');
    const events = await surfaces.world.services.db
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'suite.test.state')
      .execute();
    expect(events.map((event) => event.data?.['to'])).toEqual(['muted', 'skipped', 'enabled']);
  });

  test('a test that is muted until a moment is enabled then, and by nothing else', async () => {
    const { world } = surfaces;
    const { id } = await find('a');
    const put = (verb: string, body?: object) => surfaces.rest(['put', `${suite.path}/tests/${id}/${verb}`, body]);
    const until = (days: number) => new Date(world.clock.now().getTime() + days * 86_400_000).toISOString();
    const end = until(2);
    expect((await put('mute', { until: end })).body).toMatchObject({ state: 'muted', state_until: end });
    world.clock.advance(86_400);
    expect(await endTestStates(world.services)).toBe(0);
    // Another end, and another way.
    const later = until(2);
    const { suiteTestUpdate } = await surfaces.select([
      `mutation ($input: SuiteTestUpdateInput!) { suiteTestUpdate(input: $input) { suiteTest { state stateUntil } } }`,
      { input: { id: encodeNodeId('SuiteTest', id), state: 'SKIPPED', until: later } },
    ]);
    expect(suiteTestUpdate.suiteTest).toEqual({ state: 'SKIPPED', stateUntil: later });
    world.clock.advance(86_400);
    expect(await endTestStates(world.services)).toBe(0);
    world.clock.advance(86_400);
    expect(await endTestStates(world.services)).toBe(1);
    expect(await find('a')).toMatchObject({ state: 'enabled', state_until: null });
    // Without an end it stays, and enabling it takes the end away.
    await put('mute');
    world.clock.advance(400 * 86_400);
    await put('mute', { until: until(1) });
    expect((await put('enable')).body).toMatchObject({ state: 'enabled', state_until: null });
    world.clock.advance(2 * 86_400);
    expect(await endTestStates(world.services)).toBe(0);
    for (const [verb, at, sentence] of [
      ['mute', until(-1), 'must be in the future'],
      ['skip', until(367), 'must be within 366 days'],
      ['mute', 'soon', ''],
    ] as const) {
      const { status, body } = await put(verb, { until: at });
      expect([status, body.message]).toEqual([422, expect.stringContaining(sentence)]);
    }
  });

  test('listing many tests runs as many statements as listing one', async () => {
    const { services } = surfaces.world;
    const real = services.db;
    const counted = async (perPage: number) => {
      let count = 0;
      services.db = real.withPlugin({
        transformQuery: ({ node }) => {
          count += 1;
          return node;
        },
        transformResult: async ({ result: rows }) => rows,
      });
      await surfaces.read(['get', `${suite.path}/tests?per_page=${perPage}`]);
      return count;
    };
    try {
      expect(await counted(2)).toBeLessThanOrEqual(await counted(1));
    } finally {
      services.db = real;
    }
  });
});
