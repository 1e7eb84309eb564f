import type { Express } from 'express';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { agentApp, ScriptedAgent } from '../../support/scripted-agent.js';
import { runUntilIdle } from '../../support/run-until-idle.js';
import { encodeNodeId } from '../../../src/domain/node-id.js';
import { agentsNeeded, neededFields } from '../reads/clusters.js';
import { insight, insightFields, insightsOfMetrics, insightsOfTable } from '../reads/failures.js';
import type { Person } from '../../support/world.js';

interface Run {
  wait: number;
  run: number;
  status?: number;
  branch?: string;
}

describe('how long builds and jobs took and waited, the same on both surfaces', () => {
  let surfaces: BothSurfaces;
  let agents: Express;
  let begin: string;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open({ plan: 'enterprise' });
    agents = agentApp(surfaces.world);
    begin = surfaces.world.clock.now().toISOString();
    await surfaces.world.pipeline('steps: [{ command: make, key: make }]', { slug: 'one' });
    await surfaces.world.pipeline('steps: [{ label: Test, command: test }]', { slug: 'two' });
    for (const wait of [1, 2, 3, 4]) await build('one', { wait, run: 10 * wait });
    await build('one', { wait: 5, run: 50, status: 1, branch: 'topic' });
    await build('two', { wait: 7, run: 70 });
    // One that still waits counts nowhere.
    await surfaces.read(['post', '/organizations/acme/pipelines/two/builds', { commit: 'HEAD', branch: 'main' }]);
  });
  afterAll(() => surfaces.close());

  async function build(slug: string, { wait, run, status = 0, branch = 'main' }: Run): Promise<Data> {
    const { clock, services, agentToken } = surfaces.world;
    const path = `/organizations/acme/pipelines/${slug}/builds`;
    const made = await surfaces.read(['post', path, { commit: 'HEAD', branch }]);
    await runUntilIdle(services);
    const runner = await ScriptedAgent.connected(agents, agentToken, { name: 'one' });
    clock.advance(wait);
    const job = await runner.takeJob();
    clock.advance(run);
    await runner.finish(job, { exit_status: String(status) }).expect(200);
    await runner.call('post', '/disconnect').expect(200);
    await runUntilIdle(services);
    return made;
  }

  /** The figures, which both surfaces give alike. */
  async function figures(query: Record<string, string>, person?: Person): Promise<Data[]> {
    const parameters = new URLSearchParams(query).toString();
    const rest = await surfaces.read(['get', `/organizations/acme/insights?${parameters}`], person);
    const { by = 'pipeline', ...others } = query;
    const select = `query (
      $by: InsightGroups!, $from: DateTime, $to: DateTime, $hours: Int
      $pipeline: String, $branch: String, $queue: String, $step: String
    ) {
      organization(slug: "acme") {
        insights(
          by: $by, from: $from, to: $to, hours: $hours, pipeline: $pipeline, branch: $branch, queue: $queue, step: $step
        ) { ${insightFields} } } }`;
    const hours = others['hours'] === undefined ? {} : { hours: Number(others['hours']) };
    const { organization } = await surfaces.select([select, { by: by.toUpperCase(), ...others, ...hours }], person);
    expect(organization.insights.map(insight)).toEqual(rest);
    return rest;
  }

  const ofOne = {
    builds: 5,
    failed: 1,
    wait_p50: 3,
    wait_p90: 4.6,
    wait_p95: 4.8,
    retried: 0,
    agent_seconds: 150,
  };

  test('by pipeline, the one with most builds first', async () => {
    const [one, two, ...others] = await figures({});
    expect(others).toEqual([]);
    expect(one).toMatchObject({ key: 'one', ...ofOne });
    expect(one.duration_p50).toBeCloseTo(30, 0);
    expect(one.duration_p90).toBeCloseTo(46, 0);
    expect(one.duration_p95).toBeCloseTo(48, 0);
    expect(two).toMatchObject({ key: 'two', builds: 1, failed: 0, wait_p50: 7, wait_p95: 7, agent_seconds: 70 });
  });

  test('by branch, step and queue', async () => {
    const branches = await figures({ by: 'branch' });
    expect(branches.map(({ key, builds, failed }) => [key, builds, failed])).toEqual([
      ['main', 5, 0],
      ['topic', 1, 1],
    ]);
    const [make, test] = await figures({ by: 'step' });
    expect(make).toMatchObject({ key: 'one/make', ...ofOne });
    expect(test).toMatchObject({ key: 'two/Test', builds: 1, duration_p50: 70 });
    expect(await figures({ by: 'queue' })).toMatchObject([
      { key: 'default', builds: 6, failed: 1, agent_seconds: 220 },
    ]);
  });

  test('of one pipeline, and of a time', async () => {
    expect((await figures({ pipeline: 'two', by: 'branch' })).map(({ key }) => key)).toEqual(['main']);
    expect(await figures({ pipeline: 'none' })).toEqual([]);
    expect(await figures({ to: begin })).toEqual([]);
    expect((await figures({ from: begin })).map(({ builds }) => builds)).toEqual([5, 1]);
  });

  test('of one branch, step or queue, by the names that the rows have', async () => {
    expect((await figures({ branch: 'main' })).map(({ key, builds }) => [key, builds])).toEqual([
      ['one', 4],
      ['two', 1],
    ]);
    expect((await figures({ branch: 'topic', by: 'step' })).map(({ key }) => key)).toEqual(['one/make']);
    // What is counted are the jobs of the step or queue, whatever the rows are.
    expect(await figures({ step: 'two/Test' })).toMatchObject([{ key: 'two', builds: 1, duration_p50: 70 }]);
    expect(await figures({ step: 'two/Test', pipeline: 'one' })).toEqual([]);
    expect(await figures({ step: 'one/none' })).toEqual([]);
    const ofQueue = await figures({ queue: 'default', by: 'branch' });
    expect(ofQueue.map(({ key, builds, failed }) => [key, builds, failed])).toEqual([
      ['main', 5, 0],
      ['topic', 1, 1],
    ]);
    const { name } = await surfaces.world.services.db
      .selectFrom('clusters')
      .select('name')
      .where('id', '=', surfaces.world.clusterId)
      .executeTakeFirstOrThrow();
    expect(await figures({ queue: `${name}/default`, by: 'branch' })).toEqual(ofQueue);
    expect(await figures({ queue: 'Elsewhere/default' })).toEqual([]);
    expect(await figures({ queue: 'none' })).toEqual([]);
  });

  test('by day and hour in their order, those without builds too', async () => {
    const from = '2026-01-01T12:00:00Z';
    const days = await figures({ by: 'day', from, to: '2026-01-04T00:00:00Z' });
    expect(days.map(({ key, builds, failed }) => [key, builds, failed])).toEqual([
      ['2026-01-01', 0, 0],
      ['2026-01-02', 6, 1],
      ['2026-01-03', 0, 0],
    ]);
    const none = { duration_p50: null, duration_p90: null, duration_p95: null, wait_p50: null, wait_p95: null };
    expect(days[0]).toMatchObject({ ...none, retried: 0, agent_seconds: 0 });
    const hours = await figures({ by: 'hour', from: begin, to: '2026-01-02T05:00:00Z' });
    expect(hours.map(({ key, builds }) => [key, builds])).toEqual([
      ['2026-01-02T03:00:00Z', 6],
      ['2026-01-02T04:00:00Z', 0],
    ]);
    expect(hours[0]).toEqual({ ...days[1], key: '2026-01-02T03:00:00Z' });
    const to = '2026-01-03T00:00:00Z';
    const narrowings: Record<string, string>[] = [{ pipeline: 'one' }, { step: 'one/make' }];
    for (const narrowed of narrowings)
      expect(await figures({ by: 'day', from: begin, to, ...narrowed })).toMatchObject([
        { ...ofOne, key: '2026-01-02' },
      ]);
    expect(await figures({ by: 'day', from: begin, to, queue: 'default' })).toMatchObject([{ builds: 6, failed: 1 }]);
    expect(await figures({ by: 'day', pipeline: 'none' })).toEqual([]);
  });

  test('cost is that of the prices that queues have now', async () => {
    const { clusterId, queues } = surfaces.world;
    const queue = `/organizations/acme/clusters/${clusterId}/queues/${queues.default}`;
    const costs = async (query: Record<string, string> = {}) => (await figures(query)).map(({ cost }) => cost);
    expect(await costs()).toEqual([null, null]);
    await surfaces.read(['patch', queue, { price_per_agent_hour: 0.36 }]);
    // 150 and 70 seconds.
    expect(await costs()).toEqual([0.015, 0.007]);
    expect(await costs({ by: 'queue' })).toEqual([0.022]);
    expect(await costs({ by: 'step', branch: 'topic' })).toEqual([0.005]);
    expect(await costs({ by: 'day', from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z' })).toEqual([null, 0.022]);
    await surfaces.read(['patch', queue, { price_per_agent_hour: 0 }]);
    expect(await costs()).toEqual([0, 0]);
    await surfaces.read(['patch', queue, { price_per_agent_hour: null }]);
    expect(await costs()).toEqual([null, null]);
  });

  test('a job that was run again is counted, and its first attempt is no failure', async () => {
    const { world } = surfaces;
    const runner = await ScriptedAgent.connected(agents, world.agentToken, { name: 'one' });
    // That of the build that waits.
    const job = await runner.takeJob();
    world.clock.advance(1);
    await runner.finish(job, { exit_status: '1' }).expect(200);
    await runUntilIdle(world.services);
    expect(await figures({ by: 'step', pipeline: 'two' })).toMatchObject([{ failed: 1, retried: 0, builds: 2 }]);
    await surfaces.read(['put', `/organizations/acme/jobs/${job}/retry`]);
    await runUntilIdle(world.services);
    await runner.finish(await runner.takeJob(), { exit_status: '0' }).expect(200);
    await runUntilIdle(world.services);
    expect(await figures({ by: 'step', pipeline: 'two' })).toMatchObject([{ failed: 0, retried: 1, builds: 2 }]);
  });

  test('of the last hours that are over, as JSON and as metrics of Prometheus', async () => {
    const { world } = surfaces;
    const { clock, clusterId, queues } = world;
    const queue = `/organizations/acme/clusters/${clusterId}/queues/${queues.default}`;
    await surfaces.read(['patch', queue, { price_per_agent_hour: 0.36 }]);
    const branch = 'a "b" \\c\\n{d="e"},\u{1f600}';
    await build('one', { wait: 3, run: 8, branch });
    const nothingYet = await figures({ hours: '1' });
    expect(nothingYet).toEqual([]);
    // To the middle of the next hour, and a build in it that does not count.
    clock.advance(5_400 - (Math.floor(clock.now().getTime() / 1000) % 3_600));
    await build('two', { wait: 1, run: 2, branch: 'later' });
    const metrics = async (query: string, person?: Person) =>
      surfaces.rest(['get', `/organizations/acme/insights/metrics?${query}`], person);
    for (const by of ['pipeline', 'branch', 'queue', 'step']) {
      const rows = await figures({ by, hours: '1' });
      expect(rows.length).toBeGreaterThan(0);
      const { text, status } = await metrics(`by=${by}`);
      expect([status, insightsOfMetrics(text, by)]).toEqual([200, rows]);
      expect((await metrics(`by=${by}&hours=1`)).text).toBe(text);
    }
    const ofBranches = insightsOfMetrics((await metrics('by=branch')).text, 'branch');
    expect(ofBranches.map(({ key }) => key).sort()).toEqual([branch, 'main', 'topic']);
    expect(ofBranches.find(({ key }) => key === branch)).toMatchObject({ builds: 1, agent_seconds: 8, cost: 0.0008 });
    expect(insightsOfMetrics((await metrics('pipeline=two')).text, 'pipeline')).toEqual(
      await figures({ pipeline: 'two', hours: '1' }),
    );
    await surfaces.read(['patch', queue, { price_per_agent_hour: null }]);
    const free = insightsOfMetrics((await metrics('by=pipeline')).text, 'pipeline');
    expect(free.map(({ cost }) => cost)).toEqual([null, null]);
    // Without a build, only what the metrics are.
    clock.advance(7_200);
    const { text } = await metrics('by=step');
    expect(text).toContain('# TYPE slipway_insight_duration_seconds gauge\n');
    expect(insightsOfMetrics(text, 'step')).toEqual([]);
  });

  test.each([
    ['by=day', 422],
    ['by=hour', 422],
    ['by=week', 422],
    ['hours=0', 422],
    ['hours=169', 422],
    ['hours=some', 400],
    ['step=make', 422],
  ])('metrics of %s are refused with %i', async (query, status) => {
    const reply = await surfaces.rest(['get', `/organizations/acme/insights/metrics?${query}`]);
    expect([reply.status, typeof reply.body.message]).toEqual([status, 'string']);
  });

  test('bytes of the logs and of the artifacts in the storage', async () => {
    const { services, agentToken, clock } = surfaces.world;
    const made = await surfaces.read([
      'post',
      '/organizations/acme/pipelines/two/builds',
      { commit: 'HEAD', branch: 'b' },
    ]);
    await runUntilIdle(services);
    const runner = await ScriptedAgent.connected(agents, agentToken, { name: 'one' });
    const job = await runner.takeJob();
    clock.advance(1);
    await runner.chunk(job, 1, 0, 'twelve bytes').expect(201);
    const shared = { jobId: job, buildId: made.id, organizationId: surfaces.world.organization.id };
    const { pipelineId } = await services.db
      .selectFrom('jobs')
      .select('pipelineId')
      .where('id', '=', job)
      .executeTakeFirstOrThrow();
    const artifact = (position: number, fileSize: number, fields: object) => ({
      ...{ ...shared, pipelineId, position, fileSize, id: surfaces.world.system().newId(), batchId: made.id },
      ...{ path: 'a', contentType: 'text/plain', sha1sum: '', createdAt: clock.now(), state: 'finished' as const },
      ...fields,
    });
    const storedAt = clock.now();
    await services.db
      .insertInto('artifacts')
      .values([
        artifact(0, 3_000_000_000, { storedAt }),
        artifact(1, 5, { storedAt, state: 'expired' }),
        artifact(2, 70, { uploadDestination: 's3://elsewhere' }),
        artifact(3, 900, { state: 'error' }),
      ])
      .execute();
    await runner.finish(job, { exit_status: '0' }).expect(200);
    await runner.call('post', '/disconnect').expect(200);
    await runUntilIdle(services);
    const sizes = async (query: Record<string, string>) =>
      (await figures(query)).map(({ key, log_bytes, artifact_bytes }) => [key, log_bytes, artifact_bytes]);
    expect(await sizes({ pipeline: 'two', by: 'branch' })).toContainEqual(['b', 12, 3_000_000_005]);
    expect(await sizes({})).toEqual(
      expect.arrayContaining([
        ['one', 0, 0],
        ['two', 12, 3_000_000_005],
      ]),
    );
    expect(await sizes({ by: 'step', branch: 'b' })).toEqual([['two/Test', 12, 3_000_000_005]]);
    expect(await sizes({ by: 'queue' })).toEqual([['default', 12, 3_000_000_005]]);
    const { text } = await surfaces.rest(['get', '/organizations/acme/insights.csv?by=queue']);
    expect(text).toMatch(/,12,3000000005,,\n$/);
    await surfaces.rest(['delete', `/organizations/acme/pipelines/two/builds/${made.number}/jobs/${job}/log`]);
    expect(await sizes({ by: 'queue' })).toEqual([['default', 0, 3_000_000_005]]);
  });

  test('as a table, whatever the keys are called', async () => {
    for (const branch of ['one, "two"', '=1+1']) await build('one', { wait: 1, run: 2, branch });
    const table = async (query: string) => {
      const { text, status } = await surfaces.rest(['get', `/organizations/acme/insights.csv?${query}`]);
      expect(status).toBe(200);
      return text;
    };
    for (const by of ['pipeline', 'queue', 'step', 'day']) {
      const rows = await figures({ by });
      expect(rows.length).toBeGreaterThan(0);
      expect(insightsOfTable(await table(`by=${by}`), by)).toEqual(rows);
    }
    // A spreadsheet takes what begins with a quote for a text.
    const marked = (await figures({ by: 'branch' })).map((row) =>
      row.key === '=1+1' ? { ...row, key: "'=1+1" } : row,
    );
    expect(marked.map(({ key }) => key)).toEqual(expect.arrayContaining(["'=1+1", 'one, "two"']));
    expect(insightsOfTable(await table('by=branch'), 'branch')).toEqual(marked);
    const names = 'pipeline,builds,failed,duration_p50,duration_p90,duration_p95,wait_p50,wait_p90,wait_p95,retried';
    expect(await table('pipeline=none')).toBe(
      `${names},agent_seconds,cost,log_bytes,artifact_bytes,agents_connected_seconds,agents_busy_share\n`,
    );
  });

  test('how many agents would have been enough, of a queue', async () => {
    const { world } = surfaces;
    const queue = `/organizations/acme/clusters/${world.clusterId}/queues/${world.queues.default}`;
    const id = encodeNodeId('ClusterQueue', world.queues.default);
    const needed = async (wait: number, from?: string): Promise<Data> => {
      const since = from ? `&from=${from}` : '';
      const rest = await surfaces.read(['get', `${queue}/agents_needed?wait=${wait}${since}`]);
      const select = `query ($id: ID!, $wait: Int!, $from: DateTime) {
        node(id: $id) { ... on ClusterQueue { agentsNeeded(wait: $wait, from: $from) { ${neededFields} } } } }`;
      const { node } = await surfaces.select([select, { id, wait, from }]);
      expect(agentsNeeded(node.agentsNeeded)).toEqual(rest);
      return rest;
    };
    world.clock.advance(60);
    const from = world.clock.now().toISOString();
    await world.pipeline('steps: [{ command: make, parallelism: 4 }]', { slug: 'many' });
    await build('many', { wait: 0, run: 60 });
    for (const run of [60, 60, 60]) {
      const runner = await ScriptedAgent.connected(agents, world.agentToken, { name: 'one' });
      const job = await runner.takeJob();
      world.clock.advance(run);
      await runner.finish(job, { exit_status: '0' }).expect(200);
      await runner.call('post', '/disconnect').expect(200);
      await runUntilIdle(world.services);
    }
    expect(await needed(1, from)).toMatchObject({
      agents: 4,
      jobs: 4,
      wait: 1,
      wait_p95: 0,
      busiest_agents: 1,
      past_wait_p95: 180,
      past_share_in_time: 0.25,
      busy_share: 0.25,
    });
    expect(await needed(60, from)).toMatchObject({ agents: 2, wait_p95: 60, busy_share: 0.5 });
    expect(await needed(3600)).toMatchObject({ agents: 1 });
    const { body, status } = await surfaces.rest(['get', `${queue}/agents_needed?wait=0`]);
    expect([status, body.message]).toEqual([422, expect.stringContaining('must be at least 1 second')]);
  });

  test('a soft failure is none, whatever ended the job', async () => {
    const { world } = surfaces;
    const step = 'command: make, soft_fail: true, timeout_in_minutes: 1';
    await world.pipeline(`steps: [{ ${step}, key: exit }, { ${step}, key: time }]`, { slug: 'soft' });
    await build('soft', { wait: 0, run: 5, status: 1 });
    const runner = await ScriptedAgent.connected(agents, world.agentToken, { name: 'one' });
    const job = await runner.takeJob();
    world.clock.advance(61);
    await runUntilIdle(world.services);
    await runner.finish(job, { exit_status: '-1', signal: 'SIGTERM' }).expect(200);
    await runner.call('post', '/disconnect').expect(200);
    await runUntilIdle(world.services);
    expect((await surfaces.read(['get', `/organizations/acme/jobs/${job}`])).state).toBe('timed_out');
    expect(await figures({ by: 'step', pipeline: 'soft' })).toMatchObject([
      { key: 'soft/exit', builds: 1, failed: 0 },
      { key: 'soft/time', builds: 1, failed: 0 },
    ]);
  });

  test('a member of no team sees no pipeline, and a token without the scope nothing', async () => {
    const { world } = surfaces;
    const blind = await world.person({ organizationId: world.organization.id, scopes: ['read_suites'] });
    for (const path of ['insights', 'insights.csv', 'insights/metrics'])
      expect((await surfaces.rest(['get', `/organizations/acme/${path}`], blind)).status).toBe(403);
  });

  test.each([
    ['by=week', 422],
    ['hours=0', 422],
    ['hours=169', 422],
    ['hours=1&from=2026-01-01', 422],
    ['hours=1&to=2026-01-01', 422],
    ['by=hour&from=2025-01-01&to=2025-01-09', 422],
    ['step=make', 422],
    ['from=2026-01-01&to=2025-01-01', 422],
    ['from=2015-01-01&to=2026-01-01', 422],
    ['by=day&from=2024-01-01&to=2025-12-01', 422],
    ['from=yesterday', 400],
  ])('%s is refused with %i', async (query, status) => {
    const reply = await surfaces.rest(['get', `/organizations/acme/insights?${query}`]);
    expect([reply.status, typeof reply.body.message]).toEqual([status, 'string']);
  });
});
