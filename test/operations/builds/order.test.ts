import { createBuild } from '../../../src/operations/builds/create.js';
import { listBuilds } from '../../../src/operations/builds/list.js';
import { readJobEnv } from '../../../src/operations/builds/jobs/read-env.js';
import type { PipelineRow } from '../../../src/entities/database.js';
import { World } from '../../support/world.js';

describe('builds of a pipeline', () => {
  let world: World;
  let pipeline: PipelineRow;
  beforeAll(async () => void (world = await World.create()));
  beforeEach(
    async () =>
      void (pipeline = await world.pipeline(
        'steps: [{ command: make, env: { BUILDKITE_HOOKS_PATH: /step, KEPT: "1" } }]\nenv: { BUILDKITE_SHELL: /pipeline }',
      )),
  );
  afterAll(() => world.close());

  const create = (fields: object = {}) =>
    world.perform(world.admin, createBuild, {
      pipeline: { id: pipeline.id },
      commit: 'HEAD',
      branch: 'main',
      ...fields,
    });
  const list = (paging: object) =>
    world.perform(world.admin, listBuilds, { within: { pipeline: { id: pipeline.id } }, paging });

  test('fifty builds created at once have numbers in the order of their ids and times, and cursors skip none', async () => {
    await Promise.all(Array.from({ length: 50 }, () => create()));
    const { rows } = await list({ page: 1, perPage: 100 });
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index));
    expect(rows.map(({ id }) => id)).toEqual(
      rows
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    expect(rows.map(({ createdAt }) => createdAt.getTime())).toEqual(
      rows.map(({ createdAt }) => createdAt.getTime()).sort((one, other) => other - one),
    );
    const walked: number[] = [];
    let after: string | null = null;
    for (let turn = 0; turn < 8; turn += 1) {
      const page: Awaited<ReturnType<typeof list>> = await list({ first: 7, ...(after === null ? {} : { after }) });
      walked.push(...page.rows.map(({ number }) => number));
      const last = page.rows.at(-1);
      after = last ? page.cursor(last) : after;
    }
    expect(walked).toEqual(rows.map(({ number }) => number));
  }, 30_000);

  test('build numbers keep rising after a replica whose clock and ids are ahead', async () => {
    const { build } = await create();
    const ahead = 'ffff0000-0000-7000-8000-000000000000';
    const later = new Date(world.clock.now().getTime() + 3_600_000);
    await world.services.db
      .updateTable('builds')
      .set({ id: ahead, createdAt: later })
      .where('id', '=', build.id)
      .execute();
    const next = (await create()).build;
    expect([next.id > ahead, next.createdAt]).toEqual([true, later]);
    expect((await list({ page: 1, perPage: 10 })).rows.map(({ number }) => number)).toEqual([2, 1]);
  });

  test('neither build, pipeline nor step can set a variable that belongs to the agent', async () => {
    const { build } = await create({ env: { BUILDKITE_AGENT_ACCESS_TOKEN: 'stolen', MINE: 'x' } });
    const job = await world.services.db
      .selectFrom('jobs')
      .select('id')
      .where('buildId', '=', build.id)
      .executeTakeFirstOrThrow();
    const { env } = await world.perform(world.admin, readJobEnv, { job: { id: job.id } });
    expect([
      env['BUILDKITE_AGENT_ACCESS_TOKEN'],
      env['BUILDKITE_HOOKS_PATH'],
      env['BUILDKITE_SHELL'],
      env['MINE'],
      env['KEPT'],
    ]).toEqual([undefined, undefined, undefined, 'x', '1']);
  });

  test.each([[{ branch: ' ' }], [{ branch: 'a\nb' }], [{ commit: '\t' }], [{ commit: 'HEAD\r' }]])(
    'a build with %j is refused',
    async (fields) => {
      await expect(create(fields)).rejects.toMatchObject({
        code: 'invalid',
        details: { fields: [{ field: Object.keys(fields)[0] }] },
      });
    },
  );
});
