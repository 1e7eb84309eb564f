import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { describeOnPostgres } from '../../support/database.js';
import { newSuite, result, upload } from '../../support/suites.js';

let surfaces: BothSurfaces;
let path: string;
let slug: string;
const timed = (duration: number, over: object = {}) => ({ history: { duration }, ...over });
const encoded = encodeURIComponent;
/** The moment of the run of a week and a day ago, and that of the run of today. */
let earlier: Date;
let later: Date;

beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  const { clock } = surfaces.world;
  const suite = await newSuite(surfaces, 'RSpec');
  path = `${suite.path}/tests`;
  slug = suite.path.split('/').at(-1) ?? '';
  earlier = clock.now();
  await upload(
    surfaces,
    suite.authorization,
    'first',
    [result('slow', timed(100)), result('steady', timed(1)), result('gone', timed(7))],
    { runEnv: { branch: 'main' } },
  );
  clock.advance(8 * 86_400);
  later = clock.now();
  await upload(
    surfaces,
    suite.authorization,
    'second',
    [
      result('slow', timed(10, { tags: { framework: 'rspec' } })),
      result('steady', timed(3)),
      result('broken', timed(5, { result: 'failed' })),
      result('left out', { result: 'skipped', history: {} }),
    ],
    { runEnv: { branch: 'main' } },
  );
  await upload(surfaces, suite.authorization, 'third', [result('steady', timed(200, { result: 'failed' }))], {
    runEnv: { branch: 'feature/x' },
  });
  const broken = (await surfaces.read(['get', path])).find(({ name }: Data) => name === 'broken');
  await surfaces.read(['patch', `${path}/${broken.id}/labels`, { operator: 'add', labels: ['red'] }]);
  clock.advance(60);
});
afterAll(() => surfaces.close());

const namesOf = async (query: string) =>
  (await surfaces.read(['get', `${path}?${query}`])).map(({ name }: Data) => name) as string[];
const before = (time: Date) => encoded(new Date(time.getTime() - 1000).toISOString());

describe('the tests of a suite by what they did', () => {
  test('without such a question are all of them, the newest first, with metrics of all executions', async () => {
    const tests = await surfaces.read(['get', path]);
    expect(tests).toHaveLength(5);
    expect(tests.find(({ name }: Data) => name === 'steady')).toMatchObject({ executions_count: 3, duration_sum: 204 });
  });

  test.each([
    ['sort_by=duration_avg', ['steady', 'slow', 'broken', 'left out']],
    ['sort_by=duration_max&order=asc', ['broken', 'slow', 'steady', 'left out']],
    ['order=desc', ['steady', 'slow', 'broken', 'left out']],
    ['sort_by=reliability&order=asc', ['broken', 'steady', 'slow', 'left out']],
    ['branch=main', ['slow', 'broken', 'steady', 'left out']],
    ['branch=!main', ['steady']],
    ['tags=framework:rspec', ['slow']],
    [`tags=${encoded('result:^failed')}`, ['broken']],
    ['period=28days', ['steady', 'slow', 'gone', 'broken', 'left out']],
    ['period=1hour&labels=!red', ['steady', 'slow', 'left out']],
    ['period=7days&search=STEA', ['steady']],
    ['period=7days&owners=platform', []],
    ['period=7days&per_page=2&page=2', ['broken', 'left out']],
  ])('with %s are %j', async (query, names) => expect(await namesOf(query)).toEqual(names));

  test('have the metrics of the executions that count alone', async () => {
    const [steady] = await surfaces.read(['get', `${path}?branch=main&search=steady`]);
    expect(steady).toMatchObject({
      executions_count: 1,
      duration_sum: 3,
      reliability: 1,
      executions_count_by_result: { passed: 1, failed: 0, skipped: 0, pending: 0, unknown: 0 },
    });
    const [whole] = await surfaces.read(['get', `${path}?min_timestamp=${before(earlier)}&search=steady`]);
    expect(whole).toMatchObject({ executions_count: 3, duration_sum: 204 });
  });

  test('between two times are those of runs that began there', async () => {
    const until = `max_timestamp=${before(later)}`;
    expect(await namesOf(`min_timestamp=${before(earlier)}&${until}`)).toEqual(['slow', 'gone', 'steady']);
    expect(
      await namesOf(`${until}&min_timestamp=${encoded(later.toISOString().replace(/T.*/, 'T00:00:00Z'))}`),
    ).toEqual([]);
  });

  test.each([
    ['2026-08-01', 200, undefined],
    [' ', 200, undefined],
    ['next', 400, 'Buildkite-Version must be in format YYYY-MM-DD'],
    ['2026-8-1', 400, 'Buildkite-Version must be in format YYYY-MM-DD'],
  ])('are asked for by the version %j with the status %d', async (version, status, message) => {
    // The reply of the list is kept by now, for requests that name no version.
    await surfaces.read(['get', path]);
    const reply = await fetch(`${surfaces.url}/v2${path}`, {
      headers: { authorization: surfaces.world.admin.authorization, 'buildkite-version': version },
    });
    expect(reply.status).toBe(status);
    expect(((await reply.json()) as Data).message).toBe(message);
    const suites = await fetch(`${surfaces.url}/v2${path.replace(/\/[^/]+\/tests$/, '')}`, {
      headers: { authorization: surfaces.world.admin.authorization, 'buildkite-version': version },
    });
    expect(suites.status).toBe(200);
  });

  test('are the same on GraphQL', async () => {
    const select = `query ($slug: ID!, $from: DateTime) { suite(slug: $slug) {
      measuredTests(first: 10, from: $from, branch: "main", sortBy: DURATION_SUM, order: ASC) {
        count nodes { test { name metrics { executionsCount } } metrics { durationSum executionsCount } } } } }`;
    const from = new Date(earlier.getTime() - 1000).toISOString();
    const { suite } = await surfaces.select([select, { slug: `acme/${slug}`, from }]);
    const query = `min_timestamp=${encoded(from)}&branch=main&sort_by=duration_sum&order=asc`;
    expect(suite.measuredTests.nodes.map(({ test, metrics }: Data) => [test.name, metrics.durationSum])).toEqual(
      (await surfaces.read(['get', `${path}?${query}`])).map((test: Data) => [test.name, test.duration_sum]),
    );
    expect(suite.measuredTests.count).toBe(5);
  });

  test.each([
    ['sort_by=name', 422, 'Sort by must be one of'],
    ['period=2days', 422, 'Period must be one of'],
    ['period=7days&min_timestamp=2026-01-01', 422, 'Use either period or min_timestamp and max_timestamp'],
    ['min_timestamp=2026-01-02&max_timestamp=2026-01-01', 422, 'min_timestamp must be before max_timestamp'],
    ['min_timestamp=2020-01-01&max_timestamp=2021-01-01', 422, 'at most 92 days apart'],
    ['min_timestamp=yesterday', 400, 'must be an ISO 8601 time'],
    ['label=red&labels=blue', 400, 'Use either label or labels'],
  ])('are not listed with %s', async (query, status, sentence) => {
    const reply = await surfaces.rest(['get', `${path}?${query}`]);
    expect([reply.status, reply.body.message]).toEqual([status, expect.stringContaining(sentence)]);
  });
});

describeOnPostgres('the tests of a suite with very many executions', () => {
  test('are listed for a shorter time only', async () => {
    const { db } = surfaces.world.services;
    await db.updateTable('suite_runs').set({ keptCount: 200_000 }).where('key', '=', 'first').execute();
    const reply = await surfaces.rest(['get', `${path}?period=28days`]);
    expect([reply.status, reply.body.message]).toEqual([422, expect.stringContaining('choose a shorter')]);
    expect(await namesOf('period=1day')).toHaveLength(4);
  });
});
