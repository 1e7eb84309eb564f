import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { listBuilds } from '../../src/operations/builds/list.js';
import { listJobs } from '../../src/operations/builds/jobs/list.js';
import type { AnyOperation } from '../../src/core/operation.js';
import { describeOnPostgres } from '../support/database.js';
import { rowsRead } from '../support/rows-read.js';
import { StatementGauge } from '../support/statement-gauge.js';
import { World } from '../support/world.js';

const builds = 20_000;
const firstBuildAt = new Date('2026-01-01T00:00:00Z');
const atBuild = (number: number) => new Date(firstBuildAt.getTime() + number * 60_000);
/** A page has 30 rows; a few hundred more may be read, but not a share of the table. */
const rowsReadAtMost = 1_500;

describeOnPostgres('lists over many rows', () => {
  let world: World;
  let pipelineId: string;

  beforeAll(async () => {
    world = await World.create();
    const { db } = world.services;
    const pipeline = await world.pipeline('steps: [{ command: "true" }]', { slug: 'big' });
    pipelineId = pipeline.id;
    const own = { organization: world.organization.id, creator: world.member.id, admin: world.admin.id };
    // Ids as the product makes them: they begin with the time of creation.
    const id = sql`(lpad(to_hex((extract(epoch from ${firstBuildAt}::timestamptz) * 1000)::bigint + n * 60000), 12, '0') || '7' || lpad(to_hex(n), 19, '8'))::uuid`;
    await sql`insert into builds (id, organization_id, pipeline_id, number, state, message, commit, branch, source, creator_id, created_at, finished_at)
      select ${id}, ${own.organization}::uuid, ${pipelineId}::uuid, n, case when n = 500 then 'canceled' when n % 100 = 0 then 'failed' when n > ${builds - 5} then 'running' else 'passed' end, case when n = ${builds - 500} then 'A rare change' else 'Change' end, case when n = 600 then 'abc' else md5(n::text) end,
        case when n = 700 then 'rare' when n % 2 = 0 then 'main' else 'feature-' || n end, 'api', case when n = 800 then ${own.creator}::uuid else ${own.admin}::uuid end,
        ${firstBuildAt}::timestamptz + n * interval '1 minute', ${firstBuildAt}::timestamptz + (n + 2) * interval '1 minute' from generate_series(1, ${builds}::int) n`.execute(
      db,
    );
    await sql`insert into build_meta_data (build_id, key, organization_id, value) select id, 'release', organization_id, case when number = 900 then 'v2' else 'v1' end from builds`.execute(
      db,
    );
    await sql`insert into steps (id, organization_id, build_id, type, key, position, definition, created_at)
      select ${id}, ${own.organization}::uuid, b.id, 'command', case when n = 1000 then 'deploy' else 'test' end, 0, '{"type": "command"}', b.created_at from builds b join generate_series(1, ${builds}::int) n on n = b.number`.execute(
      db,
    );
    await sql`insert into steps (id, organization_id, build_id, type, key, position, definition, created_at)
      select gen_random_uuid(), organization_id, id, 'group', 'checks', 1, '{"type": "group"}', created_at from builds where number = 1700`.execute(
      db,
    );
    await sql`update steps s set group_id = g.id from steps g where g.key = 'checks' and s.build_id = g.build_id and s.id <> g.id`.execute(
      db,
    );
    await sql`insert into jobs (id, organization_id, pipeline_id, build_id, step_id, type, position, state, passed, label, command, cluster_id, cluster_queue_id, concurrency_group, concurrency_limit, agent_query_rules, priority, created_at, finished_at)
      select ${id}, ${own.organization}::uuid, ${pipelineId}::uuid, b.id, s.id, case when n = 1400 then 'block' else 'command' end, 0, case when n = 1100 then 'timed_out' when n > ${builds - 5} then 'running' else 'finished' end, n % 100 <> 0, 'Test', 'true', ${world.clusterId}::uuid,
        case when n = 1200 then ${world.queues.macos}::uuid else ${world.queues.default}::uuid end, case when n = 1300 then 'gate' end, case when n = 1300 then 1 end,
        case when n = 1500 then '{os=linux,gpu=true}'::text[] when n % 10 > 0 then '{os=linux}' else '{}' end, case when n = 1600 then 7 else 0 end, b.created_at, b.finished_at
      from builds b join steps s on s.build_id = b.id and s.type = 'command' join generate_series(1, ${builds}::int) n on n = b.number`.execute(
      db,
    );
    await sql`analyze builds, jobs, steps, build_meta_data`.execute(db);
  }, 120_000);
  afterAll(() => world.close());

  /** Rows of the listed table and of steps that the statement of a list reads, and how many it shows. */
  async function measure(operation: AnyOperation, input: object, table: string) {
    let shown = 0;
    const { statements } = await StatementGauge.during(world.services, async () => {
      const page = (await world.perform(world.admin, operation as typeof listBuilds, input as never)) as {
        rows: unknown[];
      };
      shown = page.rows.length;
    });
    const lists = statements.filter((statement) => new RegExp(`from "${table}" as`).test(statement.sql));
    expect(lists).toHaveLength(1);
    return { shown, read: await rowsRead(world.services.db, lists[0], [table, 'steps']) };
  }

  const scopes = {
    'a pipeline': () => ({ pipeline: { id: pipelineId } }),
    'an organization': () => ({ organization: { id: world.organization.id } }),
  };
  const buildFilters: [string, () => object, number][] = [
    ['no filter', () => ({}), 30],
    ['a rare branch', () => ({ branch: ['rare'] }), 1],
    ['a common branch', () => ({ branch: ['main'] }), 30],
    ['a pattern of branches', () => ({ branch: ['feature-1*'] }), 30],
    ['a commit', () => ({ commit: ['abc'] }), 1],
    ['a rare state', () => ({ state: ['canceled'] }), 1],
    ['a state of few', () => ({ state: ['running'] }), 4],
    ['a common state', () => ({ state: ['passed'] }), 30],
    ['all finished states', () => ({ state: ['finished'] }), 30],
    ['a creator of one build', () => ({ creator: world.member.id }), 1],
    ['a creator of most builds', () => ({ creator: world.admin.id }), 30],
    ['builds created lately', () => ({ createdFrom: atBuild(builds - 3) }), 4],
    ['builds created long ago', () => ({ createdTo: atBuild(10) }), 9],
    ['an hour long ago', () => ({ createdFrom: atBuild(100), createdTo: atBuild(160) }), 30],
    ['builds finished lately', () => ({ finishedFrom: atBuild(builds) }), 3],
    ['a rare value of meta-data', () => ({ metaData: { release: 'v2' } }), 1],
    ['a common value of meta-data', () => ({ metaData: { release: 'v1' } }), 30],
    ['a later page', () => ({ paging: { page: 5, perPage: 30 } }), 30],
  ];
  const jobFilters: [string, () => object, number][] = [
    ['no filter', () => ({}), 30],
    ['a rare state', () => ({ states: ['timed_out'] }), 1],
    ['a state of few', () => ({ states: ['running'] }), 5],
    ['failed jobs', () => ({ passed: false }), 30],
    ['jobs created lately', () => ({ createdFrom: atBuild(builds - 3) }), 4],
    ['jobs created long ago', () => ({ createdTo: atBuild(10) }), 9],
    ['a day long ago', () => ({ finishedOn: new Date('2026-01-01') }), 30],
    ['jobs finished lately', () => ({ finishedFrom: atBuild(builds) }), 3],
    ['jobs finished long ago', () => ({ finishedTo: atBuild(12) }), 9],
    ['an hour in which jobs finished', () => ({ finishedFrom: atBuild(100), finishedTo: atBuild(160) }), 30],
    ['a queue of one job', () => ({ clusterQueueIds: [world.queues.macos] }), 1],
    ['a concurrency group of one job', () => ({ concurrencyGroups: ['gate'] }), 1],
    ['a rare step key', () => ({ stepKeys: ['deploy'] }), 1],
    ['a group of one job', () => ({ groupKeys: ['checks'] }), 1],
    ['an agent query rule that no job has', () => ({ agentQueryRules: ['gpu=none'] }), 0],
    ['an agent query rule of one job', () => ({ agentQueryRules: ['gpu=true'] }), 1],
    ['an agent query rule of most jobs', () => ({ agentQueryRules: ['os=linux'] }), 30],
    ['a rare type', () => ({ types: ['block', 'input'] }), 1],
    ['a rare priority', () => ({ priorities: [7] }), 1],
    ['a cluster without jobs', () => ({ clusterId: world.organization.id }), 0],
  ];

  test.each([
    ['the beginning of a commit', { commitPrefix: createHash('md5').update('5').digest('hex').slice(0, 7) }, 1],
    ['a commit that none has', { commitPrefix: 'fffffffff' }, 0],
    ['a message of one build', { message: 'a RARE change' }, 1],
    ['a message that none has', { message: 'no such change' }, 0],
    ['a message of all builds', { message: 'change' }, 30],
  ])('builds of an organization are found without reading many others: %s', async (_, filter, rows) => {
    const input = { paging: { page: 1, perPage: 30 }, within: { organization: { id: world.organization.id } } };
    const { shown, read } = await measure(listBuilds, { ...input, ...filter }, 'builds');
    expect(shown).toBe(rows);
    expect(read).toBeLessThan(2 * rowsReadAtMost);
  });

  for (const [scope, within] of Object.entries(scopes)) {
    test.each(buildFilters)(
      `builds of ${scope} are listed without reading many others: %s`,
      async (_, filter, rows) => {
        const defaults = { paging: { page: 1, perPage: 30 } };
        const { shown, read } = await measure(listBuilds, { ...defaults, within: within(), ...filter() }, 'builds');
        expect(shown).toBe(rows);
        expect(read).toBeLessThan(rowsReadAtMost);
      },
    );

    test.each(jobFilters)(`jobs of ${scope} are listed without reading many others: %s`, async (_, filter, rows) => {
      const input = { within: within(), paging: { first: 30 }, ...filter() };
      const { shown, read } = await measure(listJobs, input, 'jobs');
      expect(shown).toBe(rows);
      expect(read).toBeLessThan(rowsReadAtMost);
    });
  }
});
