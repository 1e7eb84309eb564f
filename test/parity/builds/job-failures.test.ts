import type { Express } from 'express';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { agentApp, ScriptedAgent } from '../../support/scripted-agent.js';
import { runUntilIdle } from '../../support/run-until-idle.js';
import type { Person } from '../../support/world.js';
import { createUpload } from '../../../src/operations/suites/uploads/create.js';
import { perform } from '../../../src/core/operation.js';
import { jobFailure, jobFailureFields } from '../reads/failures.js';

/** Bytes that an agent sends of a log at a time. */
const chunkBytes = 100_000;

describe('why a job failed, the same on both surfaces', () => {
  let surfaces: BothSurfaces;
  let agents: Express;
  let pipelines = 0;
  let builds = 0;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open({ plan: 'enterprise' });
    agents = agentApp(surfaces.world);
  });
  afterAll(() => surfaces.close());

  const pathOf = (made: Data) => new URL(made.url).pathname.replace('/v2', '');

  /** A new pipeline with these steps. */
  const pipeline = async (yaml: string) => (await surfaces.world.pipeline(yaml, { slug: `f${(pipelines += 1)}` })).slug;

  interface End {
    log?: string;
    status?: number;
    signal?: string;
    agent?: string;
    branch?: string;
  }

  /** A build whose jobs all end so; each has a commit and an agent of its own, unless another name is given. */
  async function run(slug: string, { log = 'done\n', status = 0, signal, agent = 'one', branch = 'main' }: End = {}) {
    builds += 1;
    const made = await surfaces.read([
      'post',
      `/organizations/acme/pipelines/${slug}/builds`,
      { commit: String(builds).padStart(40, '0'), branch },
    ]);
    await runUntilIdle(surfaces.world.services);
    for (let left = made.jobs.length; left > 0; left -= 1) {
      const runner = await ScriptedAgent.connected(agents, surfaces.world.agentToken, { name: agent });
      const job = await runner.takeJob();
      const bytes = Buffer.from(log);
      for (let from = 0, sequence = 1; from < bytes.length; from += chunkBytes, sequence += 1)
        await runner.chunk(job, sequence, from, bytes.subarray(from, from + chunkBytes)).expect(201);
      surfaces.world.clock.advance(2);
      await runner.finish(job, { exit_status: String(status), ...(signal ? { signal } : {}) }).expect(200);
      await runner.call('post', '/disconnect').expect(200);
    }
    await runUntilIdle(surfaces.world.services);
    return surfaces.read(['get', pathOf(made)]) as Promise<Data>;
  }

  /** The failure of the first job, which both surfaces give alike. */
  async function failureOf(made: Data, person?: Person): Promise<Data> {
    const [job] = made.jobs;
    const rest = await surfaces.read(['get', `${pathOf(made)}/jobs/${job.id}/failure`], person);
    expect(await surfaces.read(['get', `/organizations/acme/jobs/${job.id}/failure`], person)).toEqual(rest);
    const select = `query ($id: ID!) { job(uuid: $id) { ... on JobTypeCommand { ${jobFailureFields} } } }`;
    expect(jobFailure((await surfaces.select([select, { id: job.id }], person)).job)).toEqual(rest);
    return rest;
  }

  const log = [
    '~~~ Preparing',
    ...Array.from({ length: 300 }, (_, index) => `fetching ${index}`),
    '--- Test',
    '\u001b[31msrc/app.ts(3,7): error TS2322: Type string is not assignable to type number.\u001b[0m',
    ...Array.from({ length: 200 }, (_, index) => `still working on ${index}`),
    '^^^ +++',
    'the end',
    '',
  ].join('\n');

  test('the lines that matter, with their numbers, the exit status and a sentence', async () => {
    const made = await run(await pipeline('steps: [{ command: make, key: make }]'), { log, status: 1 });
    const failure = await failureOf(made);
    expect(failure).toMatchObject({
      job_id: made.jobs[0].id,
      exit_status: 1,
      signal: null,
      reason: 'The command ended with exit status 1.',
    });
    const error = failure.excerpts.find(({ kind }: Data) => kind === 'error');
    expect(error.text).toContain('src/app.ts(3,7): error TS2322: Type string');
    expect(error.text).not.toContain('\u001b');
    // As an editor counts: line 303 holds the error.
    const lines = log.replace(/\u001b\[\d+m/g, '').split('\n');
    expect(error.text).toBe(lines.slice(error.first_line - 1, error.last_line).join('\n'));
    expect(error.first_line).toBeLessThanOrEqual(303);
    expect(error.last_line).toBeGreaterThanOrEqual(303);
    expect(failure.excerpts.at(-1).text).toMatch(/the end$/);
    expect(JSON.stringify(failure).length).toBeLessThan(20_000);
  });

  test('lines of a log of several mebibytes have the numbers that they have in the whole', async () => {
    const long = `${'x'.repeat(79)}\n`.repeat(40_000);
    const slug = await pipeline('steps: [{ command: make }]');
    const { excerpts } = await failureOf(await run(slug, { log: `${long}make: *** [all] Error 2\n`, status: 2 }));
    const last = excerpts.at(-1);
    expect(last).toMatchObject({ last_line: 40_001, kind: 'error' });
    expect(last.text).toMatch(/make: \*\*\* \[all\] Error 2$/);
  });

  test('since when it fails on its branch, and what has changed since it passed', async () => {
    const slug = await pipeline('steps: [{ label: Test, command: make }]');
    const passed = await run(slug);
    await run(slug, { status: 1, branch: 'other' });
    const first = await run(slug, { status: 1 });
    await surfaces.read([
      'patch',
      `/organizations/acme/pipelines/${slug}`,
      { configuration: 'steps: [{ label: Test, command: make all, env: { A: b } }]' },
    ]);
    const second = await run(slug, { status: 1, agent: 'two' });
    expect(await failureOf(second)).toMatchObject({
      since: { build_number: first.number, commit: first.commit, created_at: first.created_at },
      last_passed: { build_number: passed.number, commit: passed.commit },
      changed: {
        commits: [second.commit, first.commit],
        agent: { from: 'one', to: 'two' },
        queue: null,
        step: ['command', 'env'],
      },
    });
    expect(await failureOf(first)).toMatchObject({
      since: { build_number: first.number },
      changed: { commits: [first.commit], agent: null, step: null },
    });
  });

  test('a step that has never passed fails since its first build, and nothing has changed', async () => {
    const slug = await pipeline('steps: [{ command: make, key: never }]');
    const first = await run(slug, { status: 1 });
    const second = await run(slug, { status: 127 });
    expect(await failureOf(second)).toMatchObject({
      reason: 'The command ended with exit status 127: a program was not found.',
      since: { build_number: first.number },
      last_passed: null,
      changed: { commits: [], agent: null, queue: null, step: null, duration: null },
    });
  });

  test('jobs of a parallel step each have a history of their own', async () => {
    const slug = await pipeline('steps: [{ command: make, parallelism: 2, key: both }]');
    await run(slug);
    const failed = await run(slug, { status: 1 });
    expect(failed.jobs).toHaveLength(2);
    expect(await failureOf(failed)).toMatchObject({ since: { build_number: failed.number } });
  });

  test('tests that failed in a run that the job uploaded are named to those who may read suites', async () => {
    const { world } = surfaces;
    const made = await run(await pipeline('steps: [{ command: make }]'), { status: 1 });
    const suite = await surfaces.read([
      'post',
      '/analytics/organizations/acme/suites',
      { name: 'Units', default_branch: 'main' },
    ]);
    const row = await world.services.db
      .selectFrom('suites')
      .selectAll()
      .where('id', '=', suite.id)
      .executeTakeFirstOrThrow();
    await perform(createUpload, world.context({ kind: 'suite', suiteId: row.id, organizationId: row.organizationId }), {
      format: 'json',
      runEnv: { key: made.id, job_id: made.jobs[0].id },
      data: [
        { scope: 'math', name: 'adds', result: 'failed', failure_reason: 'expected 3, got 4', location: 'a:1' },
        { scope: 'math', name: 'subtracts', result: 'passed' },
      ],
    });
    const wanted = [{ name: 'math adds', location: 'a:1', message: 'expected 3, got 4' }];
    expect(await failureOf(made)).toMatchObject({ tests: wanted });
    const blind = await world.person({
      organizationId: world.organization.id,
      scopes: ['read_builds', 'read_build_logs'],
    });
    const path = `${pathOf(made)}/jobs/${made.jobs[0].id}/failure`;
    expect(await surfaces.read(['get', path], blind)).toMatchObject({
      tests: [],
      since: { build_number: made.number },
    });
    const logsOnly = await world.person({ organizationId: world.organization.id, scopes: ['read_build_logs'] });
    expect(await surfaces.read(['get', path], logsOnly)).toMatchObject({ since: null, last_passed: null, tests: [] });
  });

  test('a build lists the failures of its failed jobs in their order, the latest attempt of each', async () => {
    const slug = await pipeline(
      'steps: [{ label: one, command: a, retry: { manual: true } }, { command: b }, { command: c, soft_fail: true }]',
    );
    const made = await run(slug, { log: 'ERROR: no space left\n', status: 2 });
    const path = `${pathOf(made)}/failures`;
    const ids = made.jobs.map(({ id }: Data) => id);
    const { items } = await surfaces.read(['get', path]);
    expect(items.map(({ job_id }: Data) => job_id)).toEqual(ids);
    expect(items[1]).toEqual(await surfaces.read(['get', `${pathOf(made)}/jobs/${ids[1]}/failure`]));
    const first = await surfaces.read(['get', `${path}?per_page=2`]);
    expect(first.items).toEqual(items.slice(0, 2));
    const rest = await surfaces.read([
      'get',
      new URL(first.links.next).pathname.replace('/v2', '') + new URL(first.links.next).search,
    ]);
    expect([rest.items, rest.links.next]).toEqual([items.slice(2), undefined]);

    await surfaces.read(['put', `${pathOf(made)}/jobs/${ids[0]}/retry`]);
    const again = await surfaces.read(['get', path]);
    expect(again.items).toEqual(items.slice(1));
    const passed = await run(await pipeline('steps: [{ command: make }]'));
    expect((await surfaces.read(['get', `${pathOf(passed)}/failures`])).items).toEqual([]);
  });

  test.each([
    ['passed', { status: 0 }],
    ['runs still', null],
  ])('a job that %s has no failure', async (_what, end) => {
    const slug = await pipeline('steps: [{ command: make }]');
    const made = end
      ? await run(slug, end)
      : await surfaces.read([
          'post',
          `/organizations/acme/pipelines/${slug}/builds`,
          { commit: 'HEAD', branch: 'main' },
        ]);
    const [job] = made.jobs;
    const reply = await surfaces.rest(['get', `${pathOf(made)}/jobs/${job.id}/failure`]);
    expect([reply.status, reply.body]).toEqual([404, { message: 'The job has not failed' }]);
    const select = 'query ($id: ID!) { job(uuid: $id) { ... on JobTypeCommand { failure { reason } } } }';
    expect((await surfaces.select([select, { id: job.id }])).job).toEqual({ failure: null });
  });
});
