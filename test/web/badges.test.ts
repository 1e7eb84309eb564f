import request from 'supertest';
import { consoleRouter } from '../../src/web/router.js';
import { badgeRouter } from '../../src/web/badges.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { createPipeline } from '../../src/operations/pipelines/create.js';
import { createApplication } from '../../src/server/application.js';
import { handleOver } from '../../src/database/handle-over.js';
import { World } from '../support/world.js';
import { badgeTokenOf } from '../../src/resources/pipelines/url-token.js';

describe('badges', () => {
  let world: World;
  let application: ReturnType<typeof createApplication>;
  let token: string;

  beforeAll(async () => {
    world = await World.create();
    application = createApplication(
      world.services,
      [
        { path: '/badge', router: badgeRouter(world.services) },
        { path: '/', router: consoleRouter(world.services) },
      ],
      { metrics: true },
    );
    const { pipeline } = await world.perform(world.admin, createPipeline, {
      organization: { slug: 'acme' },
      name: 'Deploy',
      repository: 'https://git.example.com/deploy.git',
      clusterId: world.clusterId,
      configuration:
        'steps:\n  - label: ":hammer: Unit"\n    command: a\n    parallelism: 2\n  - label: Lint\n    command: b\n',
    });
    token = badgeTokenOf(world.services, pipeline);
    for (const [branch, state] of [
      ['main', 'passed'],
      ['topic', 'failed'],
      ['topic', 'canceled'],
      ['topic', 'running'],
    ] as const) {
      world.clock.advance(1_000);
      const { build } = await world.perform(world.admin, createBuild, {
        pipeline: { organization: 'acme', slug: 'deploy' },
        commit: 'HEAD',
        branch,
      });
      await world.services.db.updateTable('builds').set({ state }).where('id', '=', build.id).execute();
      await world.services.db
        .updateTable('jobs')
        .set({ state: 'finished', passed: true })
        .where('buildId', '=', build.id)
        .execute();
      if (state === 'failed')
        await world.services.db
          .updateTable('jobs')
          .set({ passed: false })
          .where('buildId', '=', build.id)
          .where('label', 'like', '%Unit%')
          .where('parallelGroupIndex', '=', 1)
          .execute();
    }
  });
  afterAll(() => world.close());

  test.each([
    ['the last build with a verdict counts, on any branch', '', 'failing'],
    ['a branch', '?branch=main', 'passing'],
    ['a branch without builds', '?branch=none', 'unknown'],
    ['a step that passed', '?step=Lint', 'passing'],
    ['a step of which one job failed', '?step=%3Ahammer%3A%20Unit', 'failing'],
    ['a step with its emoji as text', '?step=hammer%20Unit', 'failing'],
    ['a step on a branch', '?branch=main&step=hammer%20Unit', 'passing'],
    ['a step that does not exist', '?step=Fly', 'unknown'],
  ])('a badge shows the right status for %s', async (_what, query, status) => {
    const json = await request(application).get(`/badge/${token}.json${query}`);
    expect([json.status, json.body]).toEqual([200, { status }]);
    const svg = await request(application).get(`/badge/${token}.svg${query}`);
    expect(svg.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
    expect(String(svg.body)).toContain(status);
  });

  test('a badge that is opened by itself links to the page of its pipeline', async () => {
    const { body } = await request(application).get(`/badge/${token}.svg`);
    expect(String(body)).toContain('href="http://slipway.test/acme/deploy"');
    expect(String((await request(application).get('/badge/sample.svg')).body)).not.toContain('href');
  });

  test('a badge has the requested theme and style, and invalid ones mean the default', async () => {
    const svg = async (query: string) =>
      String((await request(application).get(`/badge/sample.svg?status=passing${query}`)).body);
    expect(await svg('&theme=slack')).toContain('#77992e');
    expect(await svg('&theme=00aabb,111,222')).toContain('#00aabb');
    expect(await svg('&theme=<script>')).toBe(await svg(''));
    expect(await svg('&style=square')).toBe(await svg('&style=flat-square'));
    expect(await svg('&style=square')).not.toBe(await svg(''));
  });

  test.each(['0'.repeat(50), 'x', `${'0'.repeat(50)}1`, '%00'])(
    'a badge with the unknown token %s is answered 404',
    async (wrong) => {
      const reply = await request(application).get(`/badge/${wrong}.svg`);
      expect([reply.status, reply.body]).toEqual([404, { message: 'Not Found' }]);
    },
  );

  test('the metrics count unfinished builds', async () => {
    const { text } = await request(application).get('/metrics');
    expect(text).toContain('slipway_unfinished_builds{state="running"} 1');
  });

  test('a server without its database reports itself unhealthy and still serves its metrics', async () => {
    const db = handleOver(world.services.db, {
      provideConnection: () => Promise.reject(new Error('connection refused at 10.0.0.1')),
    });
    const broken = { ...world.services, db };
    const sick = createApplication(broken, [], { metrics: true });
    const reply = await request(sick).get('/healthz');
    expect([reply.status, reply.body]).toEqual([
      503,
      { status: 'unavailable', message: 'The database does not answer' },
    ]);
    expect((await request(sick).get('/metrics')).text).toContain('process_resident_memory_bytes');
    expect((await request(createApplication(broken, [], { metrics: false })).get('/metrics')).status).toBe(404);
  });
});
