import { finishSuiteRuns } from '../../../src/background/suites/finish-suite-runs.js';
import { forgetTestPlans } from '../../../src/background/retention/forget-test-plans.js';
import { limits } from '../../../src/domain/limits/limits.js';
import { sharedTimings } from '../../../src/resources/suites/test-plans/shared-timings.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { newSuite, result, upload } from '../../support/suites.js';

let surfaces: BothSurfaces;
let suite: Awaited<ReturnType<typeof newSuite>>;
let plans: string;

/** A run whose files take so many seconds each; a file has two tests. */
async function run(key: string, seconds: Readonly<Record<string, number>>, branch = 'main'): Promise<void> {
  const data = Object.entries(seconds).flatMap(([file, duration]) =>
    ['first', 'second'].map((name) =>
      result(name, {
        scope: file,
        file_name: `./${file}`,
        location: `./${file}:1`,
        history: { section: 'top', start_at: 0, end_at: duration / 2, duration: duration / 2 },
      }),
    ),
  );
  await upload(surfaces, suite.authorization, key, data, { runEnv: { branch } });
  surfaces.world.clock.advance(60);
  await finishSuiteRuns(surfaces.world.services);
}

beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  suite = await newSuite(surfaces, 'RSpec');
  plans = `${suite.path}/test_plan`;
  await run('1', { 'spec/a_spec.rb': 8, 'spec/b_spec.rb': 4, 'spec/c_spec.rb': 3, 'spec/d_spec.rb': 1 });
  await run('2', { 'spec/a_spec.rb': 10, 'spec/b_spec.rb': 4, 'spec/c_spec.rb': 3 });
  await run('3', { 'spec/a_spec.rb': 12, 'spec/b_spec.rb': 4, 'spec/c_spec.rb': 3, 'example.com/module/package': 7 });
  await run('of a branch', { 'spec/a_spec.rb': 90 }, 'feature');
});
afterAll(() => surfaces.close());

const files = (...paths: string[]) => ({ files: paths.map((path) => ({ path })) });
const request = (identifier: string, over: object = {}) => ({
  identifier,
  parallelism: 2,
  branch: 'main',
  runner: 'rspec',
  tests: files('spec/d_spec.rb', 'spec/c_spec.rb', 'spec/b_spec.rb', 'spec/a_spec.rb'),
  ...over,
});
const create = (body: object) => surfaces.rest(['post', plans, body]);
const tasksOf = ({ tasks }: Data): string[][] =>
  Object.values<Data>(tasks).map(({ tests }) => tests.map(({ path }: Data) => path));
const idOf = async (scope: string, name: string): Promise<string> =>
  (await surfaces.read(['post', `${suite.path}/tests/find`, { scope, name }])).id;

test('files are timed by their runs, those that have any', async () => {
  const paths = ['./spec/a_spec.rb', 'spec/c_spec.rb', 'spec/z_spec.rb'];
  const times = await surfaces.read(['post', `${suite.path}/test_files`, { paths }]);
  expect(times).toEqual({ './spec/a_spec.rb': 10_000, 'spec/c_spec.rb': 3_000 });
});

describe('a plan', () => {
  test('is made by the first job that asks, by the runs of the default branch, and is the same for all', async () => {
    const missing = await surfaces.rest(['get', `${plans}?identifier=build%2Fstep&job_retry_count=0`]);
    expect([missing.status, missing.body]).toEqual([404, { message: 'Not Found' }]);
    const jobs = await Promise.all([create(request('build/step')), create(request('build/step', { parallelism: 2 }))]);
    const [first, second] = jobs.map(({ status, body }) => ({ status, body }));
    expect(first).toEqual(second);
    expect(first).toEqual({
      status: 200,
      body: {
        identifier: 'build/step',
        parallelism: 2,
        experiment: '',
        tasks: {
          0: {
            node_number: 0,
            tests: [{ path: 'spec/a_spec.rb', format: 'file', estimated_duration: 10_000, timing_sample_size: 3 }],
          },
          1: {
            node_number: 1,
            tests: [
              { path: 'spec/d_spec.rb', format: 'file', estimated_duration: 1_000, timing_sample_size: 1 },
              { path: 'spec/c_spec.rb', format: 'file', estimated_duration: 3_000, timing_sample_size: 3 },
              { path: 'spec/b_spec.rb', format: 'file', estimated_duration: 4_000, timing_sample_size: 3 },
            ],
          },
        },
        muted_tests: [],
        skipped_tests: [],
        timing_metadata: { file: { median_duration: 3_500, default_duration: 1_000 } },
        known_timings_ratio: 1,
      },
    });
    // A retried job asks by GET, and a job that finds other files gets the plan of the first.
    const again = await surfaces.rest(['get', `${plans}?identifier=build%2Fstep&job_retry_count=1`]);
    expect(again.body).toEqual(first?.body);
    const other = await create(request('build/step', { tests: files('spec/z_spec.rb') }));
    expect(other.body).toEqual(first?.body);
  });

  test('has a place for each job, also for one more than the first said, and for none where it is to say', async () => {
    expect(tasksOf((await create(request('wide', { parallelism: 5 }))).body).map(({ length }) => length)).toEqual([
      1, 1, 1, 1, 0,
    ]);
    await create(request('grown', { parallelism: 1 }));
    expect(tasksOf((await create(request('grown', { parallelism: 3 }))).body).map(({ length }) => length)).toEqual([
      4, 0, 0,
    ]);
    const dynamic = await create(request('dynamic', { parallelism: 1, max_parallelism: 10, target_time: 10 }));
    expect(dynamic.body.parallelism).toBe(2);
    const nothing = await create(request('nothing', { parallelism: 0, max_parallelism: 10, tests: { files: [] } }));
    expect([nothing.status, nothing.body.parallelism, nothing.body.tasks]).toEqual([200, 0, {}]);
  });

  test('of selectors is timed by files below the prefix, and by the scopes of tests', async () => {
    const { body } = await create(
      request('selectors', {
        parallelism: 1,
        location_prefix: 'spec',
        tests: { selectors: [{ value: 'a_spec.rb' }, { value: 'new_spec.rb' }] },
      }),
    );
    expect(body.tasks[0].tests).toEqual([
      { path: 'a_spec.rb', value: 'a_spec.rb', format: 'selector', estimated_duration: 10_000, timing_sample_size: 3 },
      {
        path: 'new_spec.rb',
        value: 'new_spec.rb',
        format: 'selector',
        estimated_duration: 10_000,
        timing_sample_size: 0,
      },
    ]);
    const packages = await create(
      request('packages', { parallelism: 1, tests: { selectors: [{ value: 'example.com/module/package' }] } }),
    );
    expect(packages.body.tasks[0].tests[0]).toMatchObject({ estimated_duration: 7_000, timing_sample_size: 1 });
  });

  test('names muted tests and leaves out the examples that are skipped', async () => {
    const muted = await idOf('spec/b_spec.rb', 'first');
    const skipped = await idOf('spec/a_spec.rb', 'second');
    await surfaces.read(['put', `${suite.path}/tests/${muted}/mute`]);
    await surfaces.read(['put', `${suite.path}/tests/${skipped}/skip`]);
    const examples = ['first', 'second', 'third'].map((name, index) => ({
      format: 'example',
      path: `./spec/a_spec.rb[1:${index + 1}]`,
      identifier: `./spec/a_spec.rb[1:${index + 1}]`,
      scope: 'spec/a_spec.rb',
      name,
    }));
    const { body } = await create(
      request('examples', { tests: { examples, ...files('spec/b_spec.rb', 'spec/c_spec.rb') } }),
    );
    expect(tasksOf(body).flat().sort()).toEqual([
      './spec/a_spec.rb[1:1]',
      './spec/a_spec.rb[1:3]',
      'spec/b_spec.rb',
      'spec/c_spec.rb',
    ]);
    const timed = Object.values<Data>(body.tasks).flatMap(({ tests }) => tests);
    expect(timed.find(({ name }: Data) => name === 'first')).toEqual({
      ...examples[0],
      estimated_duration: 5_000,
      timing_sample_size: 3,
    });
    expect(body.muted_tests).toEqual([{ scope: 'spec/b_spec.rb', name: 'first' }]);
    expect(body.skipped_tests).toEqual([{ scope: 'spec/a_spec.rb', name: 'second' }]);
    const filter = (env: object) =>
      surfaces.read([
        'post',
        `${plans}/filter_tests`,
        { ...files('spec/d_spec.rb', './spec/b_spec.rb', 'spec/a_spec.rb', 'spec/c_spec.rb'), env },
      ]);
    expect(await filter({})).toEqual({ tests: [{ path: 'spec/a_spec.rb' }] });
    // 18 seconds over 5 jobs: what takes longer than 3.6 holds up the others.
    const numbers = { BUILDKITE_PARALLEL_JOB_COUNT: 5, BUILDKITE_TEST_ENGINE_SPLIT_BY_EXAMPLE: true };
    const both = { tests: [{ path: './spec/b_spec.rb' }, { path: 'spec/a_spec.rb' }] };
    expect(await filter(numbers)).toEqual(both);
    const texts = { BUILDKITE_PARALLEL_JOB_COUNT: '5', BUILDKITE_TEST_ENGINE_SPLIT_BY_EXAMPLE: 'true' };
    expect(await filter(texts)).toEqual(both);
  });

  test('is noted with the reports of its jobs, the last of each, and GraphQL shows them', async () => {
    await create(request('reported'));
    const env = { BUILDKITE_TEST_ENGINE_IDENTIFIER: 'reported', BUILDKITE_PARALLEL_JOB: 1 };
    const statistics = { total: 9, passed_on_first_run: 6, passed_on_retry: 1, muted_failed: 1, failed: 1, skipped: 0 };
    const timeline = [
      { timestamp: '2026-06-20T04:46:13.609777Z', event: 'test_start' },
      { timestamp: '2026-06-20T04:49:09.609793Z', event: 'test_end' },
    ];
    for (const version of ['v3.0.0', 'v3.0.1'])
      await surfaces.read(['post', `${suite.path}/test_plan_metadata`, { version, env, timeline, statistics }]);
    const query = `query ($slug: ID!, $identifier: String!) { suite(slug: $slug) { testPlan(identifier: $identifier) {
      identifier branch parallelism knownTimingsRatio
      nodes { number estimatedDuration tests { path estimatedDuration samplesCount }
        report { version duration testsCount failedCount passedOnRetryCount mutedFailedCount } } } } }`;
    const select = async (identifier: string) =>
      (await surfaces.select([query, { slug: `acme/${suite.slug}`, identifier }])).suite.testPlan;
    expect(await select('reported')).toMatchObject({
      branch: 'main',
      nodes: [
        { number: 0, estimatedDuration: 10, tests: [{ path: 'spec/a_spec.rb', samplesCount: 3 }], report: null },
        {
          number: 1,
          estimatedDuration: 8,
          report: {
            version: 'v3.0.1',
            duration: 176,
            testsCount: 9,
            failedCount: 1,
            passedOnRetryCount: 1,
            mutedFailedCount: 1,
          },
        },
      ],
    });
    expect(await select('absent')).toBeNull();
    const absent = { ...env, BUILDKITE_TEST_ENGINE_IDENTIFIER: 'absent' };
    expect((await surfaces.rest(['post', `${suite.path}/test_plan_metadata`, { env: absent }])).status).toBe(404);
    // The first clients do not send the identifier.
    await create(request('a/b'));
    const old = { BUILDKITE_BUILD_ID: 'a', BUILDKITE_STEP_ID: 'b', BUILDKITE_PARALLEL_JOB: '0' };
    expect(
      (await surfaces.rest(['post', `${suite.path}/test_plan_metadata`, { env: old, version: 'v1', timeline: [] }]))
        .status,
    ).toBe(200);
    expect((await select('a/b')).nodes[0].report).toMatchObject({ version: 'v1', duration: null, testsCount: null });
  });

  test('is forgotten after a week', async () => {
    await create(request('old'));
    expect(await forgetTestPlans(surfaces.world.services)).toBe(0);
    surfaces.world.clock.advance(limits.testPlanDays * 86_400 + 1);
    expect(await forgetTestPlans(surfaces.world.services)).toBeGreaterThan(0);
    expect((await surfaces.rest(['get', `${plans}?identifier=old`])).status).toBe(404);
  });
});

test.each<[string, object, number, string]>([
  ['no identifier', { identifier: undefined }, 422, 'Identifier'],
  ['no tests', { tests: undefined }, 422, 'Tests'],
  ['no jobs', { parallelism: 0 }, 422, 'must be at least 1'],
  ['too many jobs', { parallelism: limits.testPlanNodes + 1 }, 422, 'whole number from 0 to 1000'],
  ['a path that is none', { tests: { files: [{ path: '' }] } }, 422, "can't be blank"],
  ['a time before now', { max_parallelism: 2, target_time: -1 }, 422, 'must not be negative'],
  [
    'too many files',
    { tests: { files: Array.from({ length: limits.testPlanTargets + 1 }, () => ({ path: 'a' })) } },
    422,
    `has more than ${limits.testPlanTargets} values`,
  ],
  [
    'a manual selection of nothing',
    { selection: { strategy: 'manual', params: { selectors: ' \n' } } },
    400,
    'selectors',
  ],
  ['a strategy that nobody knows', { selection: { strategy: 'lucky' } }, 400, 'must be one of random, manual'],
])('a request with %s is refused', async (_case, over, status, message) => {
  const reply = await create({ ...request('refused', over) });
  expect([reply.status, reply.body.message]).toEqual([status, expect.stringContaining(message)]);
});

test('jobs that ask together have the history read once, and a job that joined one that fails asks anew', async () => {
  const { services } = surfaces.world;
  let reads = 0;
  const read = async () => {
    reads += 1;
    await Promise.resolve();
    return new Map([['a', { ms: reads, samples: 1 }]]);
  };
  const ask = (...paths: string[]) => sharedTimings(services, ['files', paths], read);
  expect(await Promise.all([ask('a'), ask('a'), ask('a', 'b')])).toHaveLength(3);
  expect(reads).toBe(2);
  const left = sharedTimings(services, ['x'], () => Promise.reject(new Error('its caller has left')));
  const joined = sharedTimings(services, ['x'], read);
  await expect(left).rejects.toThrow('has left');
  expect((await joined).get('a')?.ms).toBe(3);
  await ask('a');
  expect(reads).toBe(4);
});

test('a strategy that needs what the server does not know of a commit plans every test', async () => {
  const { status, body } = await create(request('selected', { selection: { strategy: 'random', params: {} } }));
  expect([status, tasksOf(body).flat()]).toEqual([200, expect.arrayContaining(['spec/a_spec.rb', 'spec/d_spec.rb'])]);
});

describe('a manual selection', () => {
  const selected = async (identifier: string, selectors: string, tests: object) => {
    const { status, body } = await create(
      request(identifier, { tests, selection: { strategy: 'manual', params: { selectors } } }),
    );
    return [status, Object.keys(body.tasks).length, tasksOf(body).flat().sort()];
  };

  test('plans the tests that it names, and a job that asks again gets the same ones', async () => {
    const all = files('spec/a_spec.rb', './spec/b_spec.rb', 'spec/c_spec.rb', 'spec/d_spec.rb');
    const plan = [200, 2, ['./spec/b_spec.rb', 'spec/d_spec.rb']];
    expect(await selected('manual', 'spec/b_spec.rb\n\n ./spec/d_spec.rb \r\nspec/gone_spec.rb\n', all)).toEqual(plan);
    expect(await selected('manual', 'spec/a_spec.rb', all)).toEqual(plan);
  });

  test('chooses among selectors, and examples by their files', async () => {
    expect(
      await selected('manual of two formats', 'example.com/b\nspec/a_spec.rb', {
        selectors: [{ value: 'example.com/a' }, { value: 'example.com/b' }],
        examples: [{ path: 'spec/a_spec.rb[1:1]' }, { path: 'spec/b_spec.rb[1:1]' }],
      }),
    ).toEqual([200, 2, ['example.com/b', 'spec/a_spec.rb[1:1]']]);
  });

  test('that names no test leaves every job without one', async () => {
    expect(await selected('manual of none', 'spec/gone_spec.rb', files('spec/a_spec.rb'))).toEqual([200, 2, []]);
  });
});
