import { createBuild } from '../../../src/operations/builds/create.js';
import { cancelBuild } from '../../../src/operations/builds/cancel.js';
import { listBuildsOfPipelines } from '../../../src/operations/builds/list-of-pipelines.js';
import { listBuilds } from '../../../src/operations/builds/list.js';
import type { BuildRow, PipelineRow } from '../../../src/entities/database.js';
import { World } from '../../support/world.js';

describe('build.list', () => {
  let world: World;
  let app: PipelineRow;
  let tool: PipelineRow;
  const builds: BuildRow[] = [];

  beforeAll(async () => {
    world = await World.create();
    app = await world.pipeline('steps: [{ command: "true" }]', { slug: 'app' });
    tool = await world.pipeline('steps: [{ command: "true" }]', { slug: 'tool' });
    const plan: [PipelineRow, string, object][] = [
      [app, 'main', { metaData: { release: 'v1' } }],
      [app, 'dev', { message: 'Write a log% of it' }],
      [app, 'dev-two', { commit: 'a'.repeat(40) }],
      [tool, 'main', {}],
      [app, 'main', {}],
      [app, 'main', {}],
      [app, 'main', {}],
    ];
    for (const [pipeline, branch, fields] of plan) {
      const created = await world.perform(world.admin, createBuild, {
        pipeline: { id: pipeline.id },
        commit: 'HEAD',
        branch,
        ...fields,
      });
      builds.push(created.build);
      world.clock.advance(60);
    }
    await world.perform(world.admin, cancelBuild, { build: { id: builds[4]!.id } });
  });
  afterAll(() => world.close());

  const inApp = { within: { pipeline: { organization: 'acme', slug: 'app' } } };
  const list = async (input: object) =>
    (await world.perform(world.member, listBuilds, input)).rows.map((build) =>
      builds.findIndex((each) => each.id === build.id),
    );

  test.each([
    ['everything of one pipeline, newest first', {}, [6, 5, 4, 2, 1, 0]],
    ['one branch', { branch: ['dev'] }, [1]],
    ['several branches, with a wildcard', { branch: ['dev*', 'none'] }, [2, 1]],
    ['a full commit', { commit: ['a'.repeat(40)] }, [2]],
    ['a state', { state: ['canceled'] }, [4]],
    ['the shortcut finished', { state: ['finished'] }, [4]],
    ['meta-data', { metaData: { release: 'v1' } }, [0]],
  ])('build.list finds builds by filter: %s', async (_what, filters, expected) => {
    expect(await list({ ...inApp, ...filters })).toEqual(expected);
  });

  test('build.list finds builds of an organization by the beginning of a commit and by words of a message', async () => {
    const within = { organization: { slug: 'acme' } };
    expect(await list({ within, commitPrefix: 'AAAAAAA' })).toEqual([2]);
    expect(await list({ within, commitPrefix: 'a'.repeat(40) })).toEqual([2]);
    expect(await list({ within, commitPrefix: 'abababa' })).toEqual([]);
    await expect(list({ within, commitPrefix: 'aaaaaa' })).rejects.toMatchObject({ code: 'invalid' });
    expect(await list({ within, message: 'A LOG%' })).toEqual([1]);
    expect(await list({ within, message: 'a log_' })).toEqual([]);
    await expect(list({ ...inApp, message: 'a log' })).rejects.toMatchObject({ code: 'malformed' });
    await expect(list({ message: 'a log' })).rejects.toMatchObject({ code: 'malformed' });
  });

  test('build.list filters by times, including the start and excluding the end', async () => {
    expect(await list({ ...inApp, createdFrom: builds[1]!.createdAt, createdTo: builds[4]!.createdAt })).toEqual([
      2, 1,
    ]);
    expect(await list({ ...inApp, finishedFrom: new Date(0) })).toEqual([4]);
  });

  test('build.list filters by creator and refuses an invalid one', async () => {
    expect(await list({ ...inApp, creator: world.member.id })).toEqual([]);
    await expect(list({ ...inApp, creator: 'somebody' })).rejects.toMatchObject({ code: 'malformed' });
    await expect(list({ ...inApp, state: ['started'] })).rejects.toMatchObject({
      code: 'malformed',
      message: expect.stringContaining('Unknown state: started'),
    });
  });

  test('build.list lists the builds of an organization, or all that the caller may see', async () => {
    expect(await list({ within: { organization: { slug: 'acme' } } })).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(await list({})).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect((await world.perform(world.outsider, listBuilds, {})).rows).toEqual([]);
    await expect(world.perform(world.outsider, listBuilds, inApp)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('build.list pages by number and by cursor in both directions, without gap or repetition', async () => {
    const second = await world.perform(world.member, listBuilds, { ...inApp, paging: { page: 2, perPage: 4 } });
    expect(second.rows.map((build) => build.id)).toEqual([builds[1]!.id, builds[0]!.id]);
    expect(second).toMatchObject({ hasNext: false, hasPrevious: true });
    expect(await second.count(true)).toBe(6);
    const seen: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const stretch = await world.perform(world.member, listBuilds, { ...inApp, paging: { first: 2, after } });
      seen.push(...stretch.rows.map((build) => build.id));
      more = stretch.hasNext;
      after = stretch.cursor(stretch.rows.at(-1)!);
    }
    expect(seen).toEqual([6, 5, 4, 2, 1, 0].map((index) => builds[index]!.id));
    const last = await world.perform(world.member, listBuilds, { ...inApp, paging: { last: 2 } });
    expect(last.rows.map((build) => build.id)).toEqual([builds[1]!.id, builds[0]!.id]);
    expect(last.hasPrevious).toBe(true);
    await expect(
      world.perform(world.member, listBuilds, { ...inApp, paging: { first: 2, after: 'bm90IG91cnM' } }),
    ).rejects.toMatchObject({ code: 'malformed' });
  });

  test('builds of many pipelines are paged in one statement, and hidden pipelines are left out', async () => {
    const pages = await world.perform(world.member, listBuildsOfPipelines, {
      pipelineIds: [app.id, tool.id],
      paging: { first: 2 },
    });
    expect(pages.get(app.id)!.rows.map((build) => build.id)).toEqual([builds[6]!.id, builds[5]!.id]);
    expect(pages.get(app.id)!.hasNext).toBe(true);
    expect(await pages.get(app.id)!.count()).toBe(6);
    expect(pages.get(tool.id)!.rows.map((build) => build.id)).toEqual([builds[3]!.id]);
    const stranger = await world.perform(world.outsider, listBuildsOfPipelines, {
      pipelineIds: [app.id],
      paging: { first: 2 },
    });
    expect(stranger.size).toBe(0);
  });

  test('builds of many pipelines are found by a pattern of branches beside the default branch of each', async () => {
    const pages = await world.perform(world.member, listBuildsOfPipelines, {
      pipelineIds: [app.id],
      branch: ['%default', 'dev-*'],
      paging: { first: 10 },
    });
    expect(pages.get(app.id)!.rows.map(({ id }) => builds.findIndex((each) => each.id === id))).toEqual([
      6, 5, 4, 2, 0,
    ]);
  });
});
