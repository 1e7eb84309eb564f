import { sql } from 'kysely';
import { foldCounts, recount } from '../../src/background/builds/pipeline-counts.js';
import { type BuildState, buildStates } from '../../src/domain/builds/build-state.js';
import { type JobState, jobStates } from '../../src/domain/builds/job-state.js';
import { foldedAtOnce, foldPipelineCounts, recountPipelines } from '../../src/loaders/pipeline-counts.js';
import { inTransaction } from '../../src/database/transaction.js';
import { deletePipeline } from '../../src/operations/pipelines/delete.js';
import { World } from '../support/world.js';

describe('kept counts of pipelines', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  const wrong = () => recountPipelines(world.services.db, { correct: false });
  const shown = async (pipelineId: string) =>
    Object.values(await world.system().load.pipelineCounts.load(pipelineId)).join(' ');
  const rows = async (pipelineId: string) =>
    world.services.db.selectFrom('pipeline_counts').selectAll().where('pipelineId', '=', pipelineId).execute();

  const insertBuilds = (pipelineId: string, states: readonly BuildState[], first: number) =>
    sql`
    insert into builds (id, organization_id, pipeline_id, number, state, commit, branch, source, created_at)
    select gen_random_uuid(), ${world.organization.id}, ${pipelineId}, ${first}::int + s.n, s.state, 'HEAD', 'main', 'api', now()
    from unnest(${states}::text[]) with ordinality as s(state, n)`.execute(world.services.db);
  const insertJobs = (pipelineId: string, type: string, states: readonly JobState[]) =>
    sql`
    insert into jobs (id, organization_id, pipeline_id, build_id, step_id, type, position, state, created_at)
    select gen_random_uuid(), ${world.organization.id}, ${pipelineId}, gen_random_uuid(), gen_random_uuid(), ${type}, s.n, s.state, now()
    from unnest(${states}::text[]) with ordinality as s(state, n)`.execute(world.services.db);

  test('whatever state a build or job is made in, changed to, or deleted from, the counts are those of the rules', async () => {
    const { db } = world.services;
    const { id } = await world.pipeline('steps: [{ command: "true" }]');
    await insertBuilds(id, buildStates, 0);
    for (const type of ['command', 'trigger', 'block', 'wait']) await insertJobs(id, type, jobStates);
    expect(await wrong()).toEqual([]);
    expect(await shown(id)).toBe('2 3 10 8 8');
    for (const state of buildStates) {
      await db.updateTable('builds').set({ state }).where('pipelineId', '=', id).execute();
      expect(await wrong(), `builds ${state}`).toEqual([]);
      await sql`update builds set state = (${buildStates}::text[])[number] where pipeline_id = ${id}`.execute(db);
      expect(await wrong(), `builds from ${state}`).toEqual([]);
    }
    for (const state of jobStates) {
      await db.updateTable('jobs').set({ state }).where('pipelineId', '=', id).execute();
      expect(await wrong(), `jobs ${state}`).toEqual([]);
      await sql`update jobs set state = (${jobStates}::text[])[position] where pipeline_id = ${id}`.execute(db);
      expect(await wrong(), `jobs from ${state}`).toEqual([]);
    }
    expect(await shown(id)).toBe('2 3 10 8 8');
    await db.deleteFrom('jobs').where('pipelineId', '=', id).where('state', '=', 'scheduled').execute();
    await db.deleteFrom('builds').where('pipelineId', '=', id).where('state', '=', 'scheduled').execute();
    expect(await wrong()).toEqual([]);
    expect(await shown(id)).toBe('1 3 8 8 8');
  });

  test('changes are folded into one row, and a pipeline without work has none', async () => {
    const { db } = world.services;
    const { id } = await world.pipeline('steps: [{ command: "true" }]');
    await insertBuilds(id, ['scheduled', 'running'], 0);
    await insertJobs(id, 'command', ['scheduled', 'scheduled', 'running']);
    await foldCounts(world.services);
    const [only, ...more] = await rows(id);
    expect(only).toMatchObject({ scheduledBuilds: 1, runningBuilds: 1, scheduledJobs: 2, runningJobs: 1 });
    expect(more).toEqual([]);
    await foldCounts(world.services);
    expect(await rows(id)).toEqual([only]);
    await db.updateTable('jobs').set({ state: 'finished' }).where('pipelineId', '=', id).execute();
    await db.updateTable('builds').set({ state: 'passed' }).where('pipelineId', '=', id).execute();
    expect(await shown(id)).toBe('0 0 0 0 0');
    await foldCounts(world.services);
    expect(await rows(id)).toEqual([]);
  });

  test('the rows of a deleted pipeline go with the next fold', async () => {
    const { id } = await world.pipeline('steps: [{ command: "true" }]');
    await insertBuilds(id, ['blocked', 'passed'], 0);
    await insertJobs(id, 'command', ['pending', 'blocked']);
    expect(await rows(id)).toHaveLength(1);
    await world.perform(world.admin, deletePipeline, { pipeline: { id } });
    expect(await wrong()).toEqual([]);
    await foldCounts(world.services);
    expect(await rows(id)).toEqual([]);
  });

  test('a long backlog is folded in bounded parts', async () => {
    const { db } = world.services;
    const { id } = await world.pipeline('steps: [{ command: "true" }]');
    await sql`insert into pipeline_counts (pipeline_id, scheduled_builds, running_builds, scheduled_jobs, running_jobs, waiting_jobs)
      select ${id}, 0, 0, 0, 1, 0 from generate_series(1, ${foldedAtOnce + 100}::int)`.execute(db);
    expect(await foldCounts(world.services)).toBe(true);
    expect(await shown(id)).toBe(`0 0 0 ${foldedAtOnce + 100} 0`);
    expect(await foldCounts(world.services)).toBe(false);
    expect(await rows(id)).toMatchObject([{ runningJobs: foldedAtOnce + 100 }]);
    await db.deleteFrom('pipeline_counts').where('pipelineId', '=', id).execute();
  });

  test('a count that was changed past the triggers is found, and corrected', async () => {
    const { id } = await world.pipeline('steps: [{ command: "true" }]');
    await insertBuilds(id, ['scheduled'], 0);
    await sql`insert into pipeline_counts (pipeline_id, scheduled_builds, running_builds, scheduled_jobs, running_jobs, waiting_jobs)
      values (${id}, 2, 0, -1, 0, 0)`.execute(world.services.db);
    expect(await wrong()).toEqual([
      { pipelineId: id, scheduledBuilds: -2, runningBuilds: 0, scheduledJobs: 1, runningJobs: 0, waitingJobs: 0 },
    ]);
    await recount(world.services);
    expect(await wrong()).toEqual([]);
    expect(await shown(id)).toBe('1 0 0 0 0');
  });
});

describe('a table of counts that was full and is all but empty', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  test('a fold reads each row a few times, also where the planner expects a table that is all but empty', async () => {
    const { db } = world.services;
    const { id } = await world.pipeline('steps: [{ command: "true" }]');
    const changes = 300;
    const change = () =>
      sql`insert into pipeline_counts (pipeline_id, scheduled_builds, running_builds, scheduled_jobs, running_jobs, waiting_jobs)
        select ${id}, 1, 0, 0, 0, 0 from generate_series(1, ${changes}::int)`.execute(db);
    // Folded rows leave room behind, which later ones fill without a page more by which the planner would see them.
    await change();
    await sql`delete from pipeline_counts where id < (select max(id) from pipeline_counts)`.execute(db);
    await sql`vacuum analyze pipeline_counts`.execute(db);
    await change();
    const { folded, read } = await inTransaction(db, 'fold', async (trx) => {
      const rowsRead = sql<{ read: number }>`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
        from pg_stat_xact_user_tables where relname = 'pipeline_counts'`;
      const before = (await rowsRead.execute(trx)).rows[0]?.read ?? 0;
      const rowsFolded = await foldPipelineCounts(trx);
      return { folded: rowsFolded, read: ((await rowsRead.execute(trx)).rows[0]?.read ?? 0) - before };
    });
    expect(folded).toBe(changes + 1);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(5 * folded);
    expect(await db.selectFrom('pipeline_counts').select('scheduledBuilds').execute()).toEqual([
      { scheduledBuilds: changes + 1 },
    ]);
  });
});
