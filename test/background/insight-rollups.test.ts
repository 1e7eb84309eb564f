import { sql } from 'kysely';
import { InsightFold } from '../../src/background/builds/insights/insight-fold.js';
import { idMayDifferMs } from '../../src/database/ids.js';
import type { Insight } from '../../src/domain/builds/insights/insight.js';
import { othersKey, rollupSpans } from '../../src/domain/builds/insights/rollup.js';
import { sketchError } from '../../src/domain/builds/insights/sketch.js';
import { limits } from '../../src/domain/limits/limits.js';
import { getInsights } from '../../src/operations/organizations/get-insights.js';
import { deletePipeline } from '../../src/operations/pipelines/delete.js';
import { allBuilds, exactInsights } from '../support/exact-insights.js';
import { runUntilIdle } from '../support/run-until-idle.js';
import { type Person, World } from '../support/world.js';

const dayMs = 86_400_000;
const days = 130;
const builds = 4_000;
const pipelines = ['one', 'two', 'three'];
const dayOf = (time: Date) => new Date(Math.floor(time.getTime() / dayMs) * dayMs);

describe('rollups of insights', () => {
  let world: World;
  let now: Date;
  let from: Date;
  const ids = new Map<string, string>();
  /** What rows said, read in parts, before anything was in rollups. */
  const ofRows = new Map<string, Insight[]>();
  /** What is computed here from the same rows. */
  const exact = new Map<string, Insight[]>();

  beforeAll(async () => {
    world = await World.create({ teamsEnabled: true });
    now = world.services.clock.now();
    from = new Date(now.getTime() - (days - 1) * dayMs);
    for (const slug of pipelines) ids.set(slug, (await world.pipeline('steps: [{ command: make }]', { slug })).id);
    await insertBuilds();
    await setPrice(0.36);
    const all = await allBuilds(world.services.db, from);
    for (const question of questions) {
      ofRows.set(JSON.stringify(question), await insights(question));
      exact.set(JSON.stringify(question), exactInsights(all, { ...question, from, to: now, price: 0.36 }));
    }
  }, 120_000);
  afterAll(() => world.close());

  /** Builds of two jobs over all days, some of them of searches for culprits; later ones ended a moment ago. */
  async function insertBuilds(): Promise<void> {
    const { db } = world.services;
    const share = (what: string) =>
      sql`(('x' || substr(md5(b.number || ${what}), 1, 7))::bit(28)::bigint / 268435456.0)`;
    const begin = new Date(now.getTime() - days * dayMs);
    const created = sql`(${begin}::timestamptz + (n + (n * 7919 % 97) / 97.0) * ${(days * 86_400) / (builds + 1)} * interval '1 second')::timestamptz(3)`;
    const id = sql`(lpad(to_hex((extract(epoch from ${created}) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n), 19, '8'))::uuid`;
    await sql`insert into builds (id, organization_id, pipeline_id, number, state, commit, branch, source, culprit_search_id, created_at, started_at, finished_at)
      select ${id}, ${world.organization.id}::uuid, (${[...ids.values()]}::uuid[])[1 + n / 2 % 3], n,
        case when n % 7 = 0 then 'failed' else 'passed' end, 'HEAD', case when n % 3 = 0 then 'main' else 'topic-' || n % 20 end, 'api', case when n % 50 = 0 then gen_random_uuid() end, ${created}, ${created}, ${created}
      from generate_series(1, ${builds}::int) n`.execute(db);
    await sql`insert into steps (id, organization_id, build_id, type, label, position, definition, created_at)
      select gen_random_uuid(), b.organization_id, b.id, 'command', 'Step ' || n, n, '{"type": "command"}', b.created_at from builds b, generate_series(1, 2) n`.execute(
      db,
    );
    await sql`insert into jobs (id, organization_id, pipeline_id, build_id, step_id, type, position, state, passed, retried, label, command, cluster_id, cluster_queue_id, created_at, runnable_at, assigned_at, started_at, finished_at, log_size)
      select gen_random_uuid(), b.organization_id, b.pipeline_id, b.id, s.id, 'command', s.position, 'finished', b.number % 7 > 0, b.number % 11 = 0 and s.position = 1, s.label, 'make', ${world.clusterId}::uuid,
        case when s.position = 1 then ${world.queues.default}::uuid else ${world.queues.macos}::uuid end, b.created_at, b.created_at,
        b.created_at + power(2000, ${share('wait')}) * interval '1 second', b.created_at + 3000 * interval '1 second',
        b.created_at + (3000 + power(5000, ${share('run')})) * interval '1 second', 3000000000 + 10 * b.number + s.position
      from builds b join steps s on s.build_id = b.id`.execute(db);
    // Two of every job, of which one did not come to the storage.
    await sql`insert into artifacts (id, organization_id, pipeline_id, build_id, job_id, batch_id, position, state, path, content_type, file_size, sha1sum, created_at, stored_at)
      select gen_random_uuid(), organization_id, pipeline_id, build_id, id, gen_random_uuid(), n, 'finished', 'a', 'text/plain',
        4000000000 + position, '', created_at, case when n = 1 then created_at end
      from jobs, generate_series(1, 2) n`.execute(db);
    await sql`update builds b set finished_at = (select max(finished_at) from jobs j where j.build_id = b.id)`.execute(
      db,
    );
    await sql`update builds set finished_at = null, state = 'running' where finished_at > ${now}`.execute(db);
    await sql`analyze builds, jobs, steps, artifacts`.execute(db);
  }

  /** Agents of the queue `macos` have no price. */
  const setPrice = (pricePerAgentHour: number | null) =>
    world.services.db
      .updateTable('cluster_queues')
      .set({ pricePerAgentHour })
      .where('id', '=', world.queues.default ?? '')
      .execute();

  const insights = (question: object, person: Person = world.admin): Promise<Insight[]> =>
    world.perform(person, getInsights, { organization: { id: world.organization.id }, from, ...question });

  async function fold({ agesCount = true, most = 1_000 } = {}): Promise<number> {
    let rounds = 1;
    // Each round is another process'.
    while ((await new InsightFold().round(world.services, undefined, { agesCount })) && rounds < most) rounds += 1;
    return rounds;
  }

  const rollups = async () => {
    const { rows } = await sql<{ text: string }>`
      select concat_ws(' ', kind, span, begins_at, pipeline_id, builds, keys, figures) as text from insight_rollups
      order by kind, span, begins_at, pipeline_id`.execute(world.services.db);
    return rows.map(({ text }) => text);
  };

  const questions = [
    {},
    { by: 'branch' },
    { by: 'queue' },
    { by: 'step' },
    { by: 'day' },
    { by: 'day', branch: 'main' },
    { by: 'day', queue: 'macos' },
    { by: 'day', step: 'one/Step 2' },
    { by: 'step', pipeline: 'two' },
    { branch: 'topic-4' },
    { queue: 'default' },
    { by: 'branch', pipeline: 'three' },
    // Rollups have none of these.
    { by: 'branch', step: 'one/Step 2' },
    { by: 'step', branch: 'main' },
    { by: 'day', branch: 'main', queue: 'macos' },
    { by: 'queue', step: 'two/Step 1' },
  ] as const;
  const sums = ({ key, builds: count, failed, retried, logBytes, artifactBytes }: Insight) => [
    key,
    count,
    failed,
    retried,
    logBytes,
    artifactBytes,
  ];
  const percentiles = ({ durationP50, durationP90, durationP95, waitP50, waitP90, waitP95 }: Insight) => [
    durationP50,
    durationP90,
    durationP95,
    waitP50,
    waitP90,
    waitP95,
  ];

  function expectNear(rows: readonly Insight[], others: readonly Insight[]): void {
    expect(rows.map(sums)).toEqual(others.map(sums));
    rows.forEach((row, index) => {
      const those = others[index] && percentiles(others[index]);
      // Half a second is rounded to either side.
      expect(Math.abs(row.agentSeconds - (others[index]?.agentSeconds ?? NaN))).toBeLessThanOrEqual(1);
      const cost = others[index]?.cost ?? null;
      if (cost === null || row.cost === null) expect(row.cost).toBe(cost);
      else expect(Math.abs(row.cost - cost)).toBeLessThan(0.001);
      percentiles(row).forEach((value, place) => {
        const other = those?.[place] ?? null;
        if (other === null || value === null) expect(value).toBe(other);
        else expect(Math.abs(value - other), `${row.key} ${place}`).toBeLessThanOrEqual(other * sketchError + 0.001);
      });
    });
  }

  test('are not needed: rows that are read in parts have their figures, percentiles within the same error', () => {
    for (const question of questions) {
      const answer = ofRows.get(JSON.stringify(question)) ?? [];
      expect(answer.length).toBeGreaterThan(0);
      expectNear(answer, exact.get(JSON.stringify(question)) ?? []);
    }
  });

  test('have the figures of rows, percentiles within the error that is said', async () => {
    expect(await world.services.db.selectFrom('insight_rollups').select('kind').execute()).toEqual([]);
    await fold({ agesCount: false });
    const { rows } = await sql<{ span: string }>`select distinct span from insight_rollups`.execute(world.services.db);
    expect(rows.map(({ span }) => span).sort()).toEqual([...rollupSpans].sort());
    for (const question of questions) {
      const answer = await insights(question);
      expect(answer.length).toBeGreaterThan(0);
      expectNear(answer, exact.get(JSON.stringify(question)) ?? []);
    }
    const [row] = await insights({ queue: 'macos', pipeline: 'one', by: 'step' });
    expect(row?.artifactBytes).toBe((row?.builds ?? 0) * 4_000_000_002);
    expect(row?.logBytes).toBeGreaterThan((row?.builds ?? 0) * 3_000_000_000);
  });

  test('leave builds of searches for culprits out, in rollups and rows', async () => {
    const { db } = world.services;
    const ended = await db
      .selectFrom('builds')
      .select(({ fn }) => [fn.countAll<string>().as('all'), fn.count<string>('culpritSearchId').as('ofSearches')])
      .where('finishedAt', 'is not', null)
      .where('createdAt', '>=', from)
      .executeTakeFirstOrThrow();
    expect(Number(ended.ofSearches)).toBeGreaterThan(10);
    const count = (rows: readonly Insight[] = []) => rows.reduce((sum, row) => sum + row.builds, 0);
    const others = Number(ended.all) - Number(ended.ofSearches);
    expect([count(await insights({})), count(exact.get('{}'))]).toEqual([others, others]);
  });

  test('have the cost of agents at the prices of now', async () => {
    const whole = { by: 'queue', to: dayOf(now) };
    const costs = async () => new Map((await insights(whole)).map(({ key, cost }) => [key, cost]));
    const [ofDefault] = await insights({ ...whole, queue: 'default' });
    const seconds = ofDefault?.agentSeconds ?? 0;
    expect(seconds).toBeGreaterThan(1_000_000);
    expect(await costs()).toEqual(
      new Map([
        ['default', expect.closeTo(seconds / 10_000, 3)],
        ['macos', null],
      ]),
    );
    await setPrice(36);
    expect((await costs()).get('default')).toBeCloseTo(seconds / 100, 1);
    const sum = (rows: readonly Insight[]) => rows.reduce((all, { cost }) => all + (cost ?? 0), 0);
    for (const by of ['pipeline', 'branch', 'step', 'day'])
      expect(sum(await insights({ ...whole, by }))).toBeCloseTo((await costs()).get('default') ?? NaN, 1);
    await setPrice(null);
    expect(await costs()).toEqual(
      new Map([
        ['default', null],
        ['macos', null],
      ]),
    );
    await setPrice(0.36);
  });

  test('are the same when all is folded again, in one go or stopped after each step', async () => {
    const before = await rollups();
    const { db } = world.services;
    await sql`update insight_folds set folded_until_at = null, ended_at = null`.execute(db);
    const stopped = AbortSignal.abort();
    for (let steps = 0; steps < 2; steps += 1)
      expect(await new InsightFold().round(world.services, stopped, { agesCount: false })).toBe(false);
    await sql`update insight_folds set ended_at = null`.execute(db);
    await fold({ agesCount: false });
    expect(await rollups()).toEqual(before);
  });

  test('belong to one process at a time, and the next pass waits', async () => {
    const { db } = world.services;
    await sql`update insight_folds set folded_until_at = null, ended_at = null, leased_by = 'another',
      leased_until = ${new Date(now.getTime() + 30_000)}`.execute(db);
    expect(await fold()).toBe(1);
    const row = await db.selectFrom('insight_folds').select(['foldedUntilAt', 'leasedBy']).executeTakeFirstOrThrow();
    expect(row).toEqual({ foldedUntilAt: null, leasedBy: 'another' });
    await sql`update insight_folds set leased_by = null, leased_until = null`.execute(db);
    await fold({ agesCount: false });
    const folded = () => db.selectFrom('insight_folds').selectAll().executeTakeFirstOrThrow();
    const before = await folded();
    expect([before.leasedBy, before.endedAt]).toEqual([null, now]);
    world.clock.advance(60);
    expect(await fold({ agesCount: false })).toBe(1);
    expect(await folded()).toEqual(before);
  });

  test('a build that ends long after its hour, or is opened again, is in them once it has ended', async () => {
    const { db, clock } = world.services;
    const old = new Date(now.getTime() - 20 * dayMs);
    const day = { by: 'day', from: new Date(now.getTime() - 21 * dayMs), to: new Date(now.getTime() - 19 * dayMs) };
    const count = async () => (await insights(day)).reduce((sum, row) => sum + row.builds, 0);
    const before = await count();
    const build = await db
      .selectFrom('builds')
      .select(['id', 'finishedAt'])
      .where('createdAt', '>', old)
      .where('culpritSearchId', 'is', null)
      .orderBy('createdAt')
      .executeTakeFirstOrThrow();
    const end = (at: Date | null) =>
      db.updateTable('builds').set({ finishedAt: at }).where('id', '=', build.id).execute();
    await end(null);
    world.clock.advance(600);
    await fold({ agesCount: false });
    expect(await count()).toBe(before);
    // Its end was committed late, and is found when all of the hour is looked at again.
    await sql`update builds set failing = true, state = 'failed' where id = ${build.id}`.execute(db);
    await end(new Date(clock.now().getTime() - 300_000));
    world.clock.advance(600);
    await fold({ agesCount: false });
    expect(await count()).toBe(before);
    world.clock.advance(idMayDifferMs / 1000);
    await fold({ agesCount: false });
    expect(await count()).toBe(before);
    const other = await db
      .selectFrom('builds')
      .select('id')
      .where('createdAt', '>', old)
      .where('culpritSearchId', 'is', null)
      .where('state', '=', 'passed')
      .orderBy('createdAt')
      .executeTakeFirstOrThrow();
    const failed = async () => (await insights(day)).reduce((sum, row) => sum + row.failed, 0);
    const failures = await failed();
    await db
      .updateTable('builds')
      .set({ state: 'failed', finishedAt: clock.now() })
      .where('id', '=', other.id)
      .execute();
    world.clock.advance(600);
    await fold({ agesCount: false });
    expect(await failed()).toBe(failures + 1);
  });

  test('outlive builds that retention deletes, and what is computed from the rest does not replace them', async () => {
    const { db, clock } = world.services;
    const wholeDays = { from: dayOf(from), to: dayOf(new Date(now.getTime() - 30 * dayMs)) };
    const { to } = wholeDays;
    const before = await insights(wholeDays);
    // Another of its pipeline was created in the same hour.
    const { rows } = await sql<{ id: string }>`
      select id from builds b where created_at < ${to} and exists (
        select from builds o where o.pipeline_id = b.pipeline_id and o.id <> b.id and o.finished_at is not null
          and date_trunc('hour', o.created_at) = date_trunc('hour', b.created_at)) limit 1`.execute(db);
    const id = rows[0]?.id ?? '';
    await sql`delete from builds where created_at < ${to} and id <> ${id}`.execute(db);
    await sql`delete from jobs where build_id not in (select id from builds)`.execute(db);
    await db.updateTable('builds').set({ finishedAt: clock.now() }).where('id', '=', id).execute();
    world.clock.advance(600);
    await fold({ agesCount: false });
    expect(before).toHaveLength(pipelines.length);
    expect(await insights(wholeDays)).toEqual(before);
  });

  test('hours are deleted by their age where the clock is trusted; days and months stay', async () => {
    const { db, clock } = world.services;
    const oldest = async (span: string) =>
      (
        await sql<{ day: number }>`select extract(epoch from min(begins_at))::float8 * 1000 as day from insight_rollups
        where span = ${span}`.execute(db)
      ).rows[0]?.day ?? NaN;
    const age = async (span: string) => (clock.now().getTime() - (await oldest(span))) / dayMs;
    expect(await age('hour')).toBeGreaterThan(limits.rollupHoursKeptDays + 20);
    world.clock.advance(600);
    await fold();
    expect(await age('hour')).toBeLessThan(limits.rollupHoursKeptDays + 0.1);
    expect(await age('hour')).toBeGreaterThan(limits.rollupHoursKeptDays - 2);
    expect(await age('day')).toBeGreaterThan(days - 2);
    expect(await age('month')).toBeGreaterThan(days - 2);
    // A time of whole days is answered as before.
    const rows = await insights({ by: 'day', from: dayOf(from), to: dayOf(new Date(now.getTime() - 101 * dayMs)) });
    expect(rows.every(({ builds: count }) => count > 0)).toBe(true);
  });

  test('more branches than a rollup has keys go together', async () => {
    const { db, clock } = world.services;
    const { id } = await world.pipeline('steps: [{ command: make }]', { slug: 'branches' });
    const at = new Date(clock.now().getTime() - 5 * 3_600_000);
    const many = limits.rollupKeys + 10;
    await sql`insert into builds (id, organization_id, pipeline_id, number, state, commit, branch, source, created_at, started_at, finished_at)
      select gen_random_uuid(), ${world.organization.id}::uuid, ${id}::uuid, n, 'passed', 'HEAD', 'b-' || least(n, ${many}::int), 'api', ${at}, ${at}, ${new Date(clock.now().getTime() - 60_000)}
      from generate_series(1, ${many + 2}::int) n`.execute(db);
    world.clock.advance(600);
    await fold();
    const to = new Date(clock.now().getTime() - 3 * 3_600_000);
    const rows = await insights({ by: 'branch', pipeline: 'branches', to });
    expect(rows).toHaveLength(limits.rollupKeys);
    expect(rows.slice(0, 2).map(({ key, builds: count }) => [key, count])).toEqual([
      [othersKey, 11],
      [`b-${many}`, 3],
    ]);
    expect(rows.reduce((sum, row) => sum + row.builds, 0)).toBe(many + 2);
  });

  test('show only pipelines that the caller may see', async () => {
    const outsider = await world.person({ organizationId: world.organization.id });
    expect((await insights({})).length).toBeGreaterThan(2);
    expect(await insights({}, outsider)).toEqual([]);
    expect((await insights({ by: 'day' }, outsider)).every((row) => row.builds === 0)).toBe(true);
  });

  test('go with their pipeline', async () => {
    const { db, clock } = world.services;
    await world.perform(world.admin, deletePipeline, { pipeline: { id: ids.get('one') ?? '' } });
    expect((await insights({})).map(({ key }) => key)).not.toContain('one');
    await runUntilIdle(world.services);
    const left = await db
      .selectFrom('insight_rollups')
      .select('kind')
      .where('pipelineId', '=', ids.get('one') ?? '')
      .execute();
    expect(left).toEqual([]);
    world.clock.advance(600);
    await fold();
    expect(clock.now() > now && (await insights({})).length).toBeGreaterThan(1);
  });
});
