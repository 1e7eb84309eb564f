import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { planRetention } from '../../src/background/retention/pass/plan.js';
import { Retention } from '../../src/background/retention/pass/pass.js';
import { forgetFailures } from '../../src/background/retention/exports/export-rows.js';
import type { RetentionReport } from '../../src/domain/retention/pass.js';
import type { BuildRow, PipelineRow } from '../../src/entities/database.js';
import { createAnnotation } from '../../src/operations/builds/annotations/create.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { retryJob } from '../../src/operations/builds/jobs/retry.js';
import { deleteBuildExport } from '../../src/operations/organizations/delete-build-export.js';
import { setBuildExport } from '../../src/operations/organizations/set-build-export.js';
import { DiskStorage } from '../../src/storage/disk-storage.js';
import type { ObjectStorage } from '../../src/storage/storage.js';
import { ArtifactWorld } from '../support/artifact-world.js';
import { runUntilIdle } from '../support/run-until-idle.js';
import { ScriptedAgent } from '../support/scripted-agent.js';
import type { World } from '../support/world.js';

const day = 86_400;

let on: ArtifactWorld;
let world: World;
let agent: ScriptedAgent;
let directory: string;
let place: ObjectStorage;
/** Called before each object of an export is stored; a rejection is the storage's. */
let beforePut: (key: string) => Promise<void>;

beforeEach(async () => {
  on = await ArtifactWorld.create();
  world = on.world;
  agent = await ScriptedAgent.connected(on.app, world.agentToken);
  directory = await mkdtemp(join(tmpdir(), 'slipway-exports-'));
  place = new DiskStorage(directory);
  beforePut = async () => undefined;
  const put: ObjectStorage['put'] = async (key, body, options) => {
    await beforePut(key);
    return place.put(key, body, options);
  };
  const storage = new Proxy(place, {
    get: (target, name) => {
      if (name === 'put') return put;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  world.services.buildExports = { storage, strategyId: 'file', location: 'exports' };
});
afterEach(async () => {
  await on.close();
  await rm(directory, { recursive: true, force: true });
});

const enable = () =>
  world.perform(world.admin, setBuildExport, {
    organization: { id: world.organization.id },
    strategyId: 'file',
    location: 'exports',
  });

const aging = () =>
  world.pipeline('steps: [{ command: make }]', {
    retention: sql`${JSON.stringify({ builds: { days: 30 } })}::jsonb` as never,
  });

async function made({ id, slug }: PipelineRow, exitStatus = '0'): Promise<BuildRow & { job: string }> {
  const { build } = await world.perform(world.admin, createBuild, {
    pipeline: { id },
    commit: 'HEAD',
    branch: 'main',
    message: 'Ship it',
    metaData: { release: '1.0' },
  });
  const job = await agent.takeJob();
  await agent.chunk(job, 1, 0, `log of ${build.number}\n`).expect(201);
  await on.upload({ agent, job, build, slug }, { 'out.txt': `result ${build.number}` });
  await agent.finish(job, { exit_status: exitStatus }).expect(200);
  await runUntilIdle(world.services);
  return { ...build, job };
}

async function pass(): Promise<RetentionReport> {
  const retention = new Retention();
  for (let round = 0; round < 200; round += 1) {
    const outcome = await retention.advance(world.services, { holder: 'test' });
    if (typeof outcome === 'object') return outcome;
    expect(outcome).toBe('under way');
  }
  throw new Error('the pass does not end');
}

const numbersOf = async ({ id }: PipelineRow) =>
  (
    await world.services.db
      .selectFrom('builds')
      .select('number')
      .where('pipelineId', '=', id)
      .orderBy('number')
      .execute()
  ).map(({ number }) => number);

async function bytesOf(key: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of (await place.get(key)) ?? []) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const jsonOf = async (key: string): Promise<any> => JSON.parse(gunzipSync(await bytesOf(key)).toString());
const keys = async () => {
  const found: string[] = [];
  for await (const { key } of place.list('')) found.push(key);
  return found;
};
const folderOf = (build: BuildRow) =>
  `buildkite/build-exports/org=${build.organizationId}/date=${build.createdAt.toISOString().slice(0, 10)}/` +
  `pipeline=${build.pipelineId}/build=${build.id}/`;

test('what retention deletes is exported before, as the API showed it', async () => {
  await enable();
  expect(await keys()).toEqual([`buildkite/build-exports/org=${world.organization.id}/deliverability-test.txt`]);
  const pipeline = await aging();
  const first = await made(pipeline, '1');
  await world.perform(world.admin, createAnnotation, {
    of: { build: { id: first.id } },
    body: '**All** well',
    context: 'summary',
    style: 'success',
  });
  await world.perform(world.admin, retryJob, { job: { id: first.job } });
  const again = await agent.takeJob();
  await agent
    .call('post', `/jobs/${again}/pipelines`, agent.jobToken)
    .send({ uuid: randomUUID(), pipeline: { steps: [] } })
    .expect(({ status }) => expect(status).toBeLessThan(300));
  await agent.chunk(again, 1, 0, 'once more\n').expect(201);
  await agent.finish(again, { exit_status: '0' }).expect(200);
  await runUntilIdle(world.services);
  const second = await made(pipeline);
  await made(pipeline);
  world.clock.advance(31 * day);

  const path = `/organizations/acme/pipelines/${pipeline.slug}/builds/${first.number}`;
  const get = async (more: string) => (await on.rest('get', `${path}${more}`).expect(200)).body;
  const { jobs, ...build } = await get('?include_retried_jobs=true&include_test_engine=true');
  const shown = {
    annotations: await get('/annotations?scope=all'),
    artifacts: await get('/artifacts'),
    uploads: (await get('/step-uploads')).items,
    log: (await get(`/jobs/${again}/log`)).content,
  };
  const planned = await planRetention(world.services);
  expect(planned).toMatchObject([{ kind: 'builds', owner: pipeline.slug, items: 2, exports: 2 }]);

  expect((await pass()).gone).toEqual(planned);
  expect(await numbersOf(pipeline)).toEqual([3]);
  const folder = folderOf(first);
  const { pipeline: exportedPipeline, ...exported } = await jsonOf(`${folder}build.json.gz`);
  const { pipeline: shownPipeline, job_state_counts: _, ...rest } = build;
  expect(exported).toMatchObject(rest);
  expect(exported.meta_data).toEqual({ release: '1.0' });
  expect(exportedPipeline).toEqual({ ...shownPipeline, provider: { ...shownPipeline.provider, webhook_url: '' } });
  expect(jobs).toHaveLength(2);
  for (const job of jobs) expect(await jsonOf(`${folder}jobs/job-${job.id}.json.gz`)).toEqual(job);
  expect((await bytesOf(`${folder}jobs/job-${again}.log`)).toString()).toBe(shown.log);
  expect(await jsonOf(`${folder}annotations.json.gz`)).toEqual(shown.annotations);
  expect(shown.annotations[0].body_html).toContain('<strong>All</strong>');
  expect(await jsonOf(`${folder}artifacts.json.gz`)).toEqual(shown.artifacts);
  expect(await jsonOf(`${folder}step-uploads.json.gz`)).toMatchObject(shown.uploads);
  expect(shown.uploads).toHaveLength(1);

  const manifest = JSON.parse((await bytesOf(`${folder}manifest.json`)).toString());
  expect(manifest).toMatchObject({ build_id: first.id, number: 1 });
  for (const file of manifest.files) {
    const bytes = await bytesOf(`${folder}${file.name}`);
    expect(file).toEqual({
      name: file.name,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  }
  expect((await keys()).filter((key) => key.startsWith(folder))).toHaveLength(manifest.files.length + 1);
  expect((await keys()).some((key) => key === `${folderOf(second)}manifest.json`)).toBe(true);
  expect(await world.services.db.selectFrom('build_exports').selectAll().execute()).toEqual([]);
}, 30_000);

test('a build whose export fails stays, is tried again later and later, and in the end when an operator asks', async () => {
  await enable();
  const pipeline = await aging();
  const [broken] = [await made(pipeline), await made(pipeline), await made(pipeline)];
  world.clock.advance(31 * day);
  beforePut = async (key) => {
    if (key.includes(broken.id)) throw new Error('this one does not');
  };
  expect((await pass()).gone).toMatchObject([{ kind: 'builds', items: 1, exports: 1, holds: 1 }]);
  expect(await numbersOf(pipeline)).toEqual([1, 3]);
  const row = () => world.services.db.selectFrom('build_exports').selectAll().executeTakeFirstOrThrow();
  expect(await row()).toMatchObject({ buildId: broken.id, attempts: 1, error: 'this one does not', exportedAt: null });
  expect(await planRetention(world.services)).toMatchObject([{ kind: 'builds', items: 0, holds: 1 }]);

  // Not before its time, and less and less often.
  expect((await pass()).gone).toMatchObject([{ items: 0, holds: 1 }]);
  expect((await row()).attempts).toBe(1);
  const waits: (number | null)[] = [];
  for (let attempts = 1; attempts < 10; attempts += 1) {
    const { nextAttemptAt, failedAt } = await row();
    waits.push(nextAttemptAt && failedAt && (nextAttemptAt.getTime() - failedAt.getTime()) / 3_600_000);
    world.clock.advance(day + 1);
    await pass();
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 24, 24, 24, 24]);
  expect(await row()).toMatchObject({ attempts: 10, nextAttemptAt: null });
  beforePut = async () => undefined;
  world.clock.advance(30 * day);
  expect((await pass()).gone).toMatchObject([{ items: 0, holds: 1 }]);
  expect(await numbersOf(pipeline)).toEqual([1, 3]);

  await forgetFailures(world.services.db);
  expect((await pass()).gone).toMatchObject([{ items: 1, exports: 1 }]);
  expect(await numbersOf(pipeline)).toEqual([3]);
}, 30_000);

test('while the place takes nothing, nothing is deleted and no build is blamed', async () => {
  await enable();
  const pipeline = await aging();
  for (let count = 0; count < 4; count += 1) await made(pipeline);
  world.clock.advance(31 * day);
  let asked = 0;
  beforePut = async (key) => {
    if (!key.endsWith('deliverability-test.txt')) asked += 1;
    throw new Error('the bucket is away');
  };
  expect((await pass()).gone).toMatchObject([{ kind: 'builds', items: 0, holds: 3 }]);
  expect(asked).toBe(1);
  expect(await numbersOf(pipeline)).toEqual([1, 2, 3, 4]);
  expect(await world.services.db.selectFrom('build_exports').selectAll().execute()).toEqual([]);

  // Nor where the operator has taken the place away, and the plan says so.
  const { buildExports } = world.services;
  world.services.buildExports = undefined;
  expect(await planRetention(world.services)).toMatchObject([{ items: 0, holds: 3 }]);
  expect((await pass()).gone).toMatchObject([{ items: 0, holds: 3 }]);
  world.services.buildExports = buildExports;
  beforePut = async () => undefined;
  expect((await pass()).gone).toMatchObject([{ items: 3, exports: 3 }]);

  await made(pipeline);
  world.clock.advance(31 * day);
  await world.perform(world.admin, deleteBuildExport, { organization: { id: world.organization.id } });
  const stored = (await keys()).length;
  expect((await pass()).gone).toMatchObject([{ items: 1 }]);
  expect((await keys()).length).toBe(stored);
}, 30_000);

test('what happens to a build during its export is in the next one', async () => {
  await enable();
  const pipeline = await aging();
  const build = await made(pipeline);
  await made(pipeline);
  world.clock.advance(31 * day);
  const annotate = () =>
    world.perform(world.admin, createAnnotation, { of: { build: { id: build.id } }, body: 'Late', context: 'late' });
  let manifests = 0;
  beforePut = async (key) => {
    if (!key.endsWith('manifest.json')) return;
    manifests += 1;
    if (manifests === 1) await annotate();
  };
  await pass();
  // The next one is of the same pass where a slow machine has begun the page anew.
  await pass();
  expect(manifests).toBe(2);
  expect(await numbersOf(pipeline)).toEqual([2]);
  expect(await jsonOf(`${folderOf(build)}annotations.json.gz`)).toMatchObject([{ context: 'late' }]);
}, 30_000);

test('a build that is deleted in parts is exported once, whole', async () => {
  await enable();
  const pipeline = await aging();
  const build = await made(pipeline);
  await made(pipeline);
  await sql`insert into build_meta_data (build_id, organization_id, key, value)
    select ${build.id}, ${build.organizationId}, 'key-' || n, 'x' from generate_series(1, 12000) as n`.execute(
    world.services.db,
  );
  world.clock.advance(31 * day);
  let exports = 0;
  beforePut = async (key) => {
    if (key.endsWith('manifest.json')) exports += 1;
  };
  expect((await pass()).gone).toMatchObject([{ items: 1, exports: 1 }]);
  expect(exports).toBe(1);
  expect(Object.keys((await jsonOf(`${folderOf(build)}build.json.gz`)).meta_data)).toHaveLength(12_001);
  expect(await world.services.db.selectFrom('build_exports').selectAll().execute()).toEqual([]);
}, 30_000);

test('an organization exports to the place of the operator, and to no other', async () => {
  const organization = { id: world.organization.id };
  const set = (fields: object) =>
    world.perform(world.admin, setBuildExport, { organization, strategyId: 'file', location: 'exports', ...fields });
  await expect(set({ strategyId: 's3' })).rejects.toMatchObject({ details: { fields: [{ field: 'strategyId' }] } });
  await expect(set({ location: 'elsewhere' })).rejects.toMatchObject({ details: { fields: [{ field: 'location' }] } });
  beforePut = () => Promise.reject(new Error('no'));
  await expect(set({})).rejects.toMatchObject({ details: { fields: [{ field: 'location' }] } });
  beforePut = async () => undefined;
  expect((await set({ location: 'file:exports' })).organization.buildExport).toEqual({
    strategyId: 'file',
    location: 'exports',
  });
  await expect(
    world.perform(world.member, setBuildExport, { organization, strategyId: 'file', location: 'exports' }),
  ).rejects.toMatchObject({ code: 'forbidden' });
  world.services.buildExports = undefined;
  await expect(set({})).rejects.toMatchObject({ code: 'forbidden' });
});
