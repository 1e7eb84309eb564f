import { appendChunk } from '../../../src/storage/logs/append-chunk.js';
import { logRef, logStore } from '../../../src/resources/builds/logs/log-store.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { buildFields, oneBuild } from './builds.js';
import { job, jobFields } from './jobs.js';
import { things, type Things, write } from '../writes/changes.js';

const yaml = `
env: { TIER: one }
steps:
  - label: ":hammer: build"
    key: build
    command: make
    artifact_paths: "dist/*"
    agents: { queue: default }
    priority: 3
  - wait
  - block: Release?
    key: gate
  - trigger: downstream
    label: deploy
`;

let surfaces: BothSurfaces;
let at: Things;
const acme = '/organizations/acme';
beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  const { world } = surfaces;
  const { db } = world.services;
  await world.pipeline('steps: [{ command: other }]', { slug: 'downstream' });
  await surfaces.read(
    write('pipeline.create').rest(await things(surfaces), {
      name: 'App',
      description: 'an app',
      repository: 'git@github.com:acme/app.git',
      configuration: yaml,
      tags: ['web', 'go'],
      color: '#aabbcc',
      emoji: ':rocket:',
      cluster_id: world.clusterId,
      branch_configuration: 'main',
      skip_queued_branch_builds: true,
      default_command_step_timeout: 5,
      provider_settings: { trigger_mode: 'deployment' },
    }),
  );
  await surfaces.read(
    write('build.create').rest(await things(surfaces), {
      message: 'hello',
      env: { A: '1' },
      meta_data: { k: 'v', a: 'b' },
      pull_request_id: 7,
      author: { name: 'A', email: 'a@b.c' },
    }),
  );
  const { jobs } = await things(surfaces);
  const now = world.clock.now();
  const job = await db
    .updateTable('jobs')
    .set({
      state: 'finished',
      passed: false,
      exitStatus: 2,
      signal: 'SIGTERM',
      signalReason: 'cancel',
      startedAt: now,
      finishedAt: now,
    })
    .where('id', '=', jobs[0]?.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const bytes = Buffer.from('\x1b_bk;t=1767323045000\x07--- build\ngrün\n');
  await appendChunk(logStore(world.services, job.organizationId), logRef(job), {
    sequence: 1,
    offset: 0,
    size: bytes.length,
    bytes,
  });
  await db
    .updateTable('clusters')
    .set({ description: 'all', emoji: ':a:', color: '#fff', createdById: world.admin.id })
    .execute();
  await db
    .updateTable('cluster_queues')
    .set({
      description: 'q',
      dispatchPausedAt: now,
      dispatchPausedById: world.admin.id,
      dispatchPausedNote: 'n',
      createdById: world.admin.id,
    })
    .execute();
  at = await things(surfaces);
});
afterAll(() => surfaces.close());

describe('a build on both surfaces', () => {
  /** Checks that REST and GraphQL show the same build, and returns the REST reply. */
  const same = async (number: number) => {
    const { build: found } = await surfaces.select([`{ build(slug: "acme/app/${number}") { ${buildFields} } }`]);
    const reply = await surfaces.read(['get', `${acme}/pipelines/app/builds/${number}`]);
    expect(reply).toEqual(oneBuild(found));
    return reply;
  };

  test('both surfaces show the same build with a job of every type', async () => {
    const reply = await same(1);
    expect(reply.jobs.map((each: Data) => each.type)).toEqual(['script', 'waiter', 'manual', 'trigger']);
    for (const each of reply.jobs) {
      const { job: found } = await surfaces.select([
        `query ($uuid: ID!) { job(uuid: $uuid) { ${jobFields} } }`,
        { uuid: each.id },
      ]);
      expect(await surfaces.read(['get', `${acme}/jobs/${each.id}`])).toEqual(job(found));
    }
  });

  test('both surfaces show the same rebuilt and canceled build', async () => {
    await surfaces.read(write('build.rebuild').rest(at));
    await same(2);
    await surfaces.read(write('build.cancel').rest(await things(surfaces)));
    expect((await same(2)).state).toBe('canceled');
  });

  test('both surfaces show the same blocked build', async () => {
    const { db } = surfaces.world.services;
    await db
      .updateTable('builds')
      .set({ state: 'blocked', blockedState: 'passed' })
      .where('id', '=', at.build.id)
      .execute();
    await db
      .updateTable('jobs')
      .set({ state: 'blocked' })
      .where('buildId', '=', at.build.id)
      .where('type', '=', 'block')
      .execute();
    expect(await same(1)).toMatchObject({ state: 'passed', blocked: true });
  });
});

test('both surfaces show the same log and environment of a job', async () => {
  const id = at.jobs.find((each) => each.type === 'command').id;
  const path = `${acme}/pipelines/app/builds/1/jobs/${id}`;
  const { log, env } = (
    await surfaces.select([
      'query ($id: ID!) { job(uuid: $id) { ... on JobTypeCommand { env log { content size headerTimes url } } } }',
      { id },
    ])
  ).job;
  const reply = await surfaces.rest(['get', `${path}/log`]);
  expect(reply.body).toMatchObject({ url: log.url, content: log.content, size: log.size });
  // More digits than a number of this language holds.
  expect(reply.text).toContain(`"header_times":[${log.headerTimes.join(',')}]`);
  const pairs = Object.entries((await surfaces.read(['get', `${path}/env`])).env).map(
    ([name, value]) => `${name}=${String(value)}`,
  );
  expect([...env].sort()).toEqual(pairs.sort());
});

test('every graphql_id in REST replies is the node id of the resource', async () => {
  const replies = await Promise.all(
    [
      '/user',
      '/organizations',
      acme,
      `${acme}/pipelines`,
      `${acme}/pipelines/app`,
      '/builds',
      `${acme}/pipelines/app/builds/1`,
      `${acme}/clusters`,
      `${acme}/clusters/${surfaces.world.clusterId}/queues`,
    ].map((path) => surfaces.read(['get', path])),
  );
  const named = new Map<string, string>();
  const collect = (value: Data): void => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof value.graphql_id === 'string') named.set(value.graphql_id, value.id);
    Object.values(value).forEach(collect);
  };
  collect(replies);
  expect(named.size).toBeGreaterThan(12);
  for (const [id, uuid] of named) {
    const { node } = await surfaces.select([
      `query ($id: ID!) { node(id: $id) { __typename id ... on User { uuid } ... on Organization { uuid } ... on Pipeline { uuid } ... on Build { uuid } ... on JobInterface { uuid } ... on Cluster { clusterUuid: uuid } ... on ClusterQueue { clusterUuid: uuid } } }`,
      { id },
    ]);
    expect([node?.id, node?.uuid ?? node?.clusterUuid]).toEqual([id, uuid]);
  }
});
