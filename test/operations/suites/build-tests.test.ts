import { sql } from 'kysely';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { describeOnPostgres } from '../../support/database.js';
import { rowsRead } from '../../support/rows-read.js';
import { StatementGauge } from '../../support/statement-gauge.js';
import { newSuite, result, upload } from '../../support/suites.js';

let surfaces: BothSurfaces;
let build: string;
let path: string;
const hidden = { status: 404, body: { message: 'Not Found' } };
const timed = (duration: number, over: object = {}) => ({ history: { duration }, ...over });

beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  await surfaces.world.pipeline('steps: [{ command: make }]', { slug: 'app' });
  const created = await surfaces.read([
    'post',
    '/organizations/acme/pipelines/app/builds',
    { commit: 'a', branch: 'main' },
  ]);
  build = created.id;
  path = `/analytics/organizations/acme/builds/${build}/tests`;
  const [one, other] = [await newSuite(surfaces, 'RSpec'), await newSuite(surfaces, 'Jest')];
  const tagged = (framework: string) => ({ tags: { framework } });
  await upload(surfaces, one.authorization, build, [
    result('steady', timed(1, tagged('rspec'))),
    result('steady', timed(3, tagged('rspec'))),
    result('flaky', timed(10, { result: 'failed', ...tagged('rspec'), file_name: 'spec/a.rb' })),
    result('flaky', timed(20, { ...tagged('rspec-next'), file_name: 'spec/a.rb' })),
    result('left out', { result: 'skipped', history: {} }),
  ]);
  // A second run of the same build, of another suite and with a branch of its own.
  await upload(
    surfaces,
    other.authorization,
    build,
    [result('broken', timed(5, { result: 'failed', ...tagged('jest') }))],
    {
      runEnv: { branch: 'feature/x' },
    },
  );
  // Executions of other builds and of none do not count.
  await upload(surfaces, one.authorization, 'elsewhere', [result('steady', timed(100)), result('unrelated')]);
  const tests = await surfaces.read(['get', `${one.path}/tests`]);
  const flaky = tests.find((test: Data) => test.name === 'flaky');
  await surfaces.read([
    'patch',
    `${one.path}/tests/${flaky.id}/labels`,
    { operator: 'add', labels: ['flaky', 'slow'] },
  ]);
  await surfaces.read(['put', `${one.path}/tests/${flaky.id}/mute`]);
});
afterAll(() => surfaces.close());

const namesOf = async (query: string) =>
  (await surfaces.read(['get', `${path}?${query}`])).map(({ name }: Data) => name) as string[];
const encoded = encodeURIComponent;

describe('the tests of a build', () => {
  test('are those of every suite, with metrics of their executions in the build alone', async () => {
    const tests = await surfaces.read(['get', path]);
    expect(tests.map(({ name }: Data) => name)).toEqual(['flaky', 'broken', 'steady', 'left out']);
    expect(tests[0]).toEqual({
      id: expect.any(String),
      url: `http://slipway.test/v2/analytics/organizations/acme/suites/rspec/tests/${tests[0].id}`,
      web_url: `http://slipway.test/organizations/acme/analytics/suites/rspec/tests/${tests[0].id}`,
      scope: 'a scope',
      name: 'flaky',
      location: null,
      file_name: 'spec/a.rb',
      labels: ['flaky', 'slow'],
      state: 'muted',
      owners: [],
      state_until: null,
      reliability: 0.5,
      duration_avg: 15,
      duration_sum: 30,
      duration_min: 10,
      duration_max: 20,
      executions_count: 2,
      executions_count_by_result: { passed: 1, failed: 1 },
    });
    expect(tests[2]).toMatchObject({ duration_sum: 4, executions_count: 2, reliability: 1 });
    expect(tests[3]).toMatchObject({
      reliability: null,
      duration_avg: null,
      executions_count_by_result: { passed: 0, failed: 0, skipped: 1 },
    });
  });

  test.each([
    ['sort_by=duration_sum&order=asc', ['steady', 'broken', 'flaky', 'left out']],
    ['sort_by=duration_min', ['flaky', 'broken', 'steady', 'left out']],
    ['sort_by=reliability', ['steady', 'flaky', 'broken', 'left out']],
    ['sort_by=reliability&order=asc', ['broken', 'flaky', 'steady', 'left out']],
    ['per_page=2&page=2', ['steady', 'left out']],
    ['labels=flaky', ['flaky']],
    ['labels=flaky,!slow', []],
    ['labels=!slow', ['broken', 'steady', 'left out']],
    ['state=muted', ['flaky']],
    ['state=enabled', ['broken', 'steady', 'left out']],
    ['branch=main', ['flaky', 'steady', 'left out']],
    ['branch=feature*', ['broken']],
    ['branch=!main', ['broken']],
    ['owners=payments', []],
    ['owners=!platform', ['flaky', 'broken', 'steady', 'left out']],
    ['tags=framework:jest', ['broken']],
    [`tags=${encoded('framework:!jest')}`, ['flaky', 'steady', 'left out']],
    ['tags=framework:rspec*', ['flaky', 'steady']],
    [`tags=${encoded('framework:!rspec*')}`, ['broken', 'left out']],
    ['tags=framework:*', ['flaky', 'broken', 'steady']],
    ['tags=scm.branch:feature*', ['broken']],
    ['tags=scm.commit_sha:a,framework:rspec', ['flaky', 'steady']],
    ['tags=code.file.path:spec/*', ['flaky']],
    ['tags=build.id:01900000-0000-7000-8000-000000000000', []],
    ['tags=constructor:x', []],
    ['tags=result:failed', ['flaky', 'broken']],
    ['tags=result:!passed', ['flaky', 'broken', 'left out']],
    [`tags=${encoded('result:~failed')}`, ['flaky', 'broken']],
    [`tags=${encoded('result:^failed')}`, ['broken']],
    [`tags=${encoded('result:^failed,framework:rspec')}`, ['flaky']],
    ['labels=&branch=&owners=&state=&tags=&sort_by=&order=', ['flaky', 'broken', 'steady', 'left out']],
  ])('with %s are %j', async (query, names) => expect(await namesOf(query)).toEqual(names));

  test('have the metrics of the executions that a filter leaves', async () => {
    const [failed] = await surfaces.read(['get', `${path}?labels=flaky&tags=result:failed`]);
    expect(failed).toMatchObject({ executions_count: 1, duration_avg: 10, reliability: 0 });
    const [some] = await surfaces.read(['get', `${path}?labels=flaky&tags=${encoded('result:~failed')}`]);
    expect(some).toMatchObject({ executions_count: 2, duration_avg: 15 });
  });

  test.each([
    ['state=gone', 'State must be one of'],
    ['sort_by=name', 'Sort by must be one of'],
    ['order=up', 'Order must be one of'],
    ['branch=!feature*', 'Branch takes one operator at most'],
    ['tags=framework', 'must be of the form key:value'],
    ['tags=:x', 'must be of the form key:value'],
    ['tags=framework:~rspec', 'takes ~ and ^ for the tag result only'],
  ])('are not listed with %s', async (query, sentence) => {
    const { status, body } = await surfaces.rest(['get', `${path}?${query}`]);
    expect([status, body.message]).toEqual([422, expect.stringContaining(sentence)]);
  });

  test('can be walked from cursor to cursor on GraphQL, those without the metric last', async () => {
    for (const order of ['ASC', 'DESC']) {
      const walked: string[] = [];
      let after: string | null = null;
      do {
        const { build: found } = await surfaces.select([
          `query ($id: ID!, $after: String) { build(uuid: $id) { tests(first: 1, after: $after, order: ${order}, sortBy: RELIABILITY) { count pageInfo { hasNextPage endCursor } nodes { test { name } } } } }`,
          { id: build, after },
        ]);
        expect(found.tests.count).toBe(4);
        walked.push(...found.tests.nodes.map((node: Data) => node.test.name));
        after = found.tests.pageInfo.hasNextPage ? found.tests.pageInfo.endCursor : null;
      } while (after !== null);
      expect(walked).toEqual(await namesOf(`sort_by=reliability&order=${order.toLowerCase()}`));
    }
  });

  test('are hidden from people who may not see the build, and below another organization', async () => {
    const { world } = surfaces;
    expect(await surfaces.rest(['get', path], world.outsider)).toMatchObject(hidden);
    expect(await surfaces.rest(['get', path.replace('acme', 'other')])).toMatchObject(hidden);
    expect(await surfaces.rest(['get', path.replace(build, 'nothing')])).toMatchObject(hidden);
    await surfaces.read(['patch', '/organizations/acme/pipelines/app', { visibility: 'public' }]);
    expect((await surfaces.rest(['get', '/organizations/acme/pipelines/app/builds/1'], world.outsider)).status).toBe(
      200,
    );
    expect(await surfaces.rest(['get', path], world.outsider)).toMatchObject(hidden);
  });
});

describeOnPostgres('the tests of a build among many', () => {
  test('are read without the executions of other builds, whatever they are filtered by', async () => {
    const { services } = surfaces.world;
    await sql`insert into suite_runs select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'key', 'k' || n, 'build_id', null))).*
      from suite_runs r, generate_series(1, 100) n where r.id = (select id from suite_runs limit 1)`.execute(
      services.db,
    );
    await sql`insert into suite_executions (id, organization_id, suite_id, run_id, upload_id, test_id, result, created_at)
      select gen_random_uuid(), r.organization_id, r.suite_id, r.id, r.id, t.id, 'passed', r.created_at
      from suite_runs r, (select id from suite_tests limit 1) t, generate_series(1, 200) n where r.build_id is null`.execute(
      services.db,
    );
    await sql`analyze suite_runs, suite_executions, suite_tests`.execute(services.db);
    for (const query of [
      '',
      'labels=!x&state=enabled',
      'branch=main',
      `tags=framework:rspec,${encoded('result:^passed')}`,
    ]) {
      const { statements } = await StatementGauge.during(services, () => namesOf(query));
      const lists = statements.filter((statement) => statement.sql.includes('"suite_executions" as'));
      expect(lists).toHaveLength(1);
      expect(await rowsRead(services.db, lists[0], ['suite_executions'])).toBeLessThan(20);
    }
  });
});
