import { createBuild } from '../../../src/operations/builds/create.js';
import { JobRunner } from '../../support/job-runner.js';
import { describeWithVectors, readVectors } from '../../support/vectors.js';
import { expectShape } from '../reply-shape.js';
import { RestWorld } from '../rest-world.js';

const yaml = `
steps:
  - { command: one, key: one }
  - { command: two, key: two, soft_fail: true }
  - group: Tests
    key: tests
    steps:
      - { command: three, key: three }
      - { command: four, key: four, retry: { manual: { allowed: false, reason: never } } }
  - wait
  - { block: Release, key: gate }
  - { command: five, key: five }
`;

let rest: RestWorld;
let runner: JobRunner;
beforeAll(async () => {
  rest = await RestWorld.create();
  runner = new JobRunner(rest.world);
});
afterAll(() => rest.close());

type Job = Record<string, unknown> & { id: string; type: string; state: string; step_key?: string };

/** A build of its own pipeline; jobs by the key of their step. */
async function build(steps = yaml) {
  const { world } = rest;
  const pipeline = await world.pipeline(steps);
  const made = await world.perform(world.admin, createBuild, {
    pipeline: { id: pipeline.id },
    commit: 'HEAD',
    branch: 'main',
  });
  const url = `/organizations/acme/pipelines/${pipeline.slug}/builds/${made.build.number}`;
  const list = async (query = '') =>
    (await rest.get(`${url}/jobs${query}`).expect(200)).body as { items: Job[]; links: Record<string, string> };
  const byKey = Object.fromEntries((await list()).items.map((job) => [job.step_key ?? job.type, job.id]));
  return { url, id: made.build.id, list, byKey };
}

const keys = (items: Job[]) => items.map((job) => job.step_key ?? job.type);
const all = ['one', 'two', 'three', 'four', 'waiter', 'gate', 'five'];

/** one passed, two failed softly, three and four failed, the rest waits. */
async function failed() {
  const made = await build();
  await runner.run(made.byKey['one'] ?? '', 0);
  for (const key of ['two', 'three', 'four']) await runner.run(made.byKey[key] ?? '', 1);
  return made;
}

describe('the jobs of a build', () => {
  test("a build's jobs are listed in pipeline order with items, links and their group's key", async () => {
    const { url, list } = await build();
    const { items, links } = await list();
    expect(keys(items)).toEqual(all);
    items.forEach((job) => expectShape('Job', job));
    expect(items.map((job) => job['group_key'])).toEqual([
      undefined,
      undefined,
      'tests',
      'tests',
      undefined,
      undefined,
      undefined,
    ]);
    expect(links).toEqual({ self: `http://slipway.test/v2${url}/jobs?per_page=30` });
    expect((await rest.get(`${url}/jobs`)).headers['link']).toBeUndefined();
    const inBuild = (await rest.get(url)).body.jobs;
    expect(items).toEqual(inBuild);
  });

  test('following Link headers in either direction visits every job exactly once', async () => {
    const { url } = await build();
    const seen: string[] = [];
    const pages: string[] = [];
    let next: string | undefined = `${url}/jobs?per_page=3&state[]=scheduled&state[]=waiting&state=blocked`;
    let last = '';
    while (next) {
      const reply: { body: { items: Job[]; links: Record<string, string> }; headers: Record<string, string> } =
        await rest.get(next).expect(200);
      const { items, links } = reply.body;
      seen.push(...keys(items));
      pages.push(Object.keys(links).join());
      for (const [rel, href] of Object.entries(links)) {
        expect(href).toMatch(/^http:\/\/slipway\.test\/v2\//);
        if (rel !== 'self') expect(reply.headers['link']).toContain(`<${href}>; rel="${rel}"`);
      }
      last = links['self'] ?? '';
      next = links['next']?.replace('http://slipway.test/v2', '');
    }
    expect(seen).toEqual(all);
    expect(pages).toEqual(['self,next', 'self,first,prev,next', 'self,first,prev']);
    const { body } = await rest.get(last.replace('http://slipway.test/v2', ''));
    const before = (await rest.get(body.links.prev.replace('http://slipway.test/v2', '')).expect(200)).body;
    expect(keys(before.items)).toEqual(seen.slice(-body.items.length - before.items.length, -body.items.length));
    expect(before.links.next).toBeDefined();
    expect(
      (await rest.get(body.links.first.replace('http://slipway.test/v2', ''))).body.items.map(
        (job: Job) => job.step_key ?? job.type,
      ),
    ).toEqual(seen.slice(0, 3));
  });

  test.each([
    'per_page=0',
    'per_page=101',
    'per_page=x',
    'per_page=-1',
    'after=nonsense',
    'before=bm9uc2Vuc2U',
    'after=a&before=b',
    'state=finished',
    'state=unknown',
    'state[]=passed&state[]=no',
    'include_retried_jobs=maybe',
  ])('the job list is refused for %s', async (query) => {
    const { url } = await build('steps: [{ command: "true" }]');
    const { status, body } = await rest.get(`${url}/jobs?${query}`);
    expect([status, typeof body.message]).toEqual([400, 'string']);
  });

  test('jobs are filtered by state: passed and failed are distinguished, and promised failures count as failed', async () => {
    const { list, byKey, id } = await failed();
    const having = async (query: string) => keys((await list(`?${query}`)).items);
    expect(await having('state=passed')).toEqual(['one']);
    expect(await having('state=failed')).toEqual(['two', 'three', 'four']);
    expect(await having('state[]=passed&state[]=failed')).toEqual(['one', 'two', 'three', 'four']);
    expect((await having('state=waiting&state=waiting_failed&state=blocked&state=blocked_failed')).length).toBe(3);
    expect(await having('state=running')).toEqual([]);
    const { db } = rest.world.services;
    await db
      .updateTable('jobs')
      .set({ state: 'running', promisedExitStatus: 1 })
      .where('id', '=', byKey['five'] ?? '')
      .execute();
    await db
      .updateTable('jobs')
      .set({ state: 'finished', passed: false })
      .where('buildId', '=', id)
      .where('type', '=', 'wait')
      .execute();
    expect(await having('state=running')).toEqual([]);
    expect(await having('state=failed')).toContain('five');
    expect(await having('state=passed')).toEqual(['one', 'waiter']);
    await db
      .updateTable('jobs')
      .set({ promisedExitStatus: null })
      .where('id', '=', byKey['five'] ?? '')
      .execute();
    expect(await having('state=running')).toEqual(['five']);
    await db
      .updateTable('jobs')
      .set({ state: 'limiting' })
      .where('id', '=', byKey['five'] ?? '')
      .execute();
    expect(await having('state=scheduled')).toEqual(['five']);
    expect(await having('state=limited')).toEqual(['five']);
  });

  test('jobs are filtered by step and group keys; unknown keys match nothing', async () => {
    const { list } = await build();
    expect(keys((await list('?step_key=three')).items)).toEqual(['three']);
    expect(keys((await list('?step_key[]=one&step_key[]=gate')).items)).toEqual(['one', 'gate']);
    expect(keys((await list('?group_key=tests')).items)).toEqual(['three', 'four']);
    expect((await list('?step_key=nothing')).items).toEqual([]);
    expect((await list('?group_key=three')).items).toEqual([]);
  });

  test('the job list includes every attempt by default, and only the latest on request', async () => {
    const { url, list, byKey } = await failed();
    const { body } = await rest.put(`${url}/jobs/${byKey['three']}/retry`).expect(200);
    const ids = async (query = '') =>
      (await list(query)).items.filter((job) => job.step_key === 'three').map((job) => job.id);
    expect(await ids()).toEqual([byKey['three'], body.id]);
    expect(await ids('?include_retried_jobs=false')).toEqual([body.id]);
    expect(await ids('?include_retried_jobs=True')).toEqual([byKey['three'], body.id]);
  });

  test('the job list runs as many statements for many jobs as for few', async () => {
    const few = await build('steps: [{ command: "true" }, { command: "true" }]');
    const many = await build(
      JSON.stringify({ steps: Array.from({ length: 25 }, (_, n) => ({ command: 'true', key: `k${n}` })) }),
    );
    const count = ({ url }: { url: string }) => rest.statements(() => rest.get(`${url}/jobs`).expect(200));
    expect(await count(many)).toBe(await count(few));
  });
});

describe('retrying all failed jobs of a build', () => {
  test('retrying failed jobs answers 202 with their count and skips steps that forbid a retry', async () => {
    const { url, list, byKey } = await failed();
    const { status, body } = await rest.put(`${url}/retry_failed_jobs`);
    expect([status, body.retried_jobs_count]).toEqual([202, 2]);
    expectShape('BuildAfterRetry', body);
    const latest = (await list('?include_retried_jobs=false')).items;
    expect(latest.filter((job) => job['retries_count'] === 1).map((job) => [job.step_key, job.state])).toEqual([
      ['two', 'scheduled'],
      ['three', 'scheduled'],
    ]);
    const events = await rest.world.services.db
      .selectFrom('events')
      .select('jobId')
      .where('type', '=', 'job.retried')
      .where('jobId', 'in', [byKey['two'] ?? '', byKey['three'] ?? ''])
      .execute();
    expect(events).toHaveLength(2);
    const again = await rest.put(`${url}/retry_failed_jobs`);
    expect([again.status, again.body.retried_jobs_count]).toEqual([202, 0]);
    expect((await rest.get(url)).body).not.toHaveProperty('retried_jobs_count');
  });

  test.each([
    [{ states: 'failed' }, ['three']],
    [{ states: 'soft_failed' }, ['two']],
    [{ states: 'failed,soft_failed' }, ['two', 'three']],
    [{ states: ['soft_failed'] }, ['two']],
    [{ states: 'canceled,expired,timed_out' }, []],
    [{ states: '' }, ['two', 'three']],
    [{ states: null }, ['two', 'three']],
  ])('retrying only jobs that ended as %j retries the steps %j', async (given, retried) => {
    const { url, list } = await failed();
    const { body } = await rest.put(`${url}/retry_failed_jobs`).send(given).expect(202);
    expect(body.retried_jobs_count).toBe(retried.length);
    expect(keys((await list('?include_retried_jobs=false')).items.filter((job) => job['retries_count'] === 1))).toEqual(
      retried,
    );
  });

  test('unknown job states and a canceled build are refused', async () => {
    const { url, id } = await failed();
    const wrong = await rest.put(`${url}/retry_failed_jobs`).send({ states: 'failed,broken' });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      { message: 'Invalid states: broken. Valid states are canceled, expired, failed, soft_failed, timed_out.' },
    ]);
    await rest.world.services.db.updateTable('builds').set({ state: 'canceled' }).where('id', '=', id).execute();
    const canceled = await rest.put(`${url}/retry_failed_jobs`);
    expect([canceled.status, canceled.body]).toEqual([422, { message: 'Jobs from canceled builds cannot be retried' }]);
  });
});

describe('ten simultaneous requests about the jobs of a build', () => {
  const tenTimes = <T>(work: () => PromiseLike<T>): Promise<T[]> => Promise.all(Array.from({ length: 10 }, work));

  test('ten simultaneous retries of all failed jobs retry each job once (I14)', async () => {
    const { url, list } = await failed();
    const replies = await tenTimes(() => rest.put(`${url}/retry_failed_jobs`));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    expect(replies.map(({ body }) => body.retried_jobs_count as number).sort()).toEqual([
      ...Array.from({ length: 9 }, () => 0),
      2,
    ]);
    expect((await list()).items.filter((job) => job['retries_count'] === 1)).toHaveLength(2);
  });

  test('ten simultaneous retries of one job and of all give each job one new attempt', async () => {
    const { url, list, byKey } = await failed();
    const [one, ...bulk] = await Promise.all([
      rest.put(`${url}/jobs/${byKey['three']}/retry`),
      ...Array.from({ length: 4 }, () => rest.put(`${url}/retry_failed_jobs`)),
    ]);
    expect(
      bulk
        .map(({ body }) => body.retried_jobs_count as number)
        .reduce((sum, count) => sum + count, one?.status === 200 ? 1 : 0),
    ).toBe(2);
    expect((await list()).items.filter((job) => job['retries_count'] === 1).map((job) => job.step_key)).toEqual([
      'two',
      'three',
    ]);
  });

  test("ten simultaneous changes of a job's priority to the same value record one event", async () => {
    const { url, byKey } = await build();
    await tenTimes(() => rest.put(`${url}/jobs/${byKey['one']}/reprioritize`).send({ priority: 4 }));
    expect(
      await rest.world.services.db
        .selectFrom('events')
        .select('id')
        .where('jobId', '=', byKey['one'] ?? '')
        .where('type', '=', 'job.reprioritize')
        .execute(),
    ).toHaveLength(1);
  });
});

describe('reprioritizing a job', () => {
  test('a job is reprioritized under its build and under its organization, and agents get it in the new order', async () => {
    const { url, byKey } = await build();
    const { status, body } = await rest.put(`${url}/jobs/${byKey['one']}/reprioritize`).send({ priority: 5 });
    expect([status, body.priority, body.id]).toEqual([200, { number: 5 }, byKey['one']]);
    expectShape('ScriptJob', body);
    expect(
      (await rest.put(`/organizations/acme/jobs/${byKey['one']}/reprioritize`).send({ priority: -3 }).expect(200)).body
        .priority,
    ).toEqual({ number: -3 });
    await rest.put(`${url}/jobs/${byKey['one']}/reprioritize`).send({ priority: -3 }).expect(200);
    const events = await rest.world.services.db
      .selectFrom('events')
      .select(['type', 'data'])
      .where('jobId', '=', byKey['one'] ?? '')
      .where('type', '=', 'job.reprioritize')
      .orderBy('sequence')
      .execute();
    expect(events.map(({ data }) => data)).toEqual([
      { from: 0, to: 5 },
      { from: 5, to: -3 },
    ]);
  });

  test.each([
    [{}],
    [{ priority: null }],
    [{ priority: '5' }],
    [{ priority: 1.5 }],
    [{ priority: 3e9 }],
    [{ priority: true }],
  ])('reprioritizing with %j is refused', async (given) => {
    const { url, byKey } = await build();
    const { status, body } = await rest.put(`${url}/jobs/${byKey['one']}/reprioritize`).send(given);
    expect([status, body]).toEqual([400, { message: 'Priority must be an integer' }]);
  });

  test('reprioritizing is refused for a job without a command and for a job that has started', async () => {
    const { url, byKey } = await build();
    const gate = await rest.put(`${url}/jobs/${byKey['gate']}/reprioritize`).send({ priority: 1 });
    expect([gate.status, gate.body]).toEqual([400, { message: 'This job type cannot be reprioritized' }]);
    await runner.start(byKey['one'] ?? '');
    const running = await rest.put(`${url}/jobs/${byKey['one']}/reprioritize`).send({ priority: 1 });
    expect([running.status, running.body]).toEqual([
      422,
      { message: "Job can't be reprioritized because its state is running" },
    ]);
  });
});

describeWithVectors('the job list of rest/go-buildkite.json', () => {
  test('the job list accepts every parameter that go-buildkite sends', async () => {
    const { cases } = readVectors('rest/go-buildkite.json') as {
      cases: { func: string; query_list?: { key: string; val: string }[] }[];
    };
    const { query_list: sent = [] } =
      cases.find(({ func }) => func === 'TestJobsService_ListByBuild_WithOptions') ?? {};
    const { url } = await build();
    const query = sent
      .filter(({ key }) => key !== 'after')
      .map(({ key, val }) => `${encodeURIComponent(key)}=${encodeURIComponent(val)}`)
      .join('&');
    expect(sent.length).toBeGreaterThan(5);
    expect((await rest.get(`${url}/jobs?${query}`).expect(200)).body.items).toEqual([]);
  });
});
