import { artifactKey } from '../../src/core/build-folder.js';
import type { JobRow } from '../../src/entities/database.js';
import { logFolder } from '../../src/storage/logs/chunk-index.js';
import { S3Storage } from '../../src/storage/s3-storage.js';
import type { ObjectStorage } from '../../src/storage/storage.js';
import { tasks } from '../../src/background/tasks.js';
import { logText } from '../../src/resources/builds/logs/log-text.js';
import { readJobLog } from '../../src/operations/builds/logs/read.js';
import { StorageSweep } from '../../src/resources/installation/storage/sweep-storage.js';
import { agentApp, buildOf, ScriptedAgent } from '../support/scripted-agent.js';
import { S3Server } from '../storage/s3-server.js';
import { World } from '../support/world.js';

const stray = (ref: Parameters<typeof logFolder>[0], name: string) => `${logFolder(ref)}chunks/${name}.gz`;

describe.each(['files', 'a bucket'])('the sweep for orphaned logs and artifacts in %s (I19)', (kind) => {
  let world: World;
  let s3: S3Server;
  let storage: ObjectStorage;
  const logged: { key?: string }[] = [];

  beforeAll(async () => {
    world = await World.create();
    s3 = new S3Server();
    const endpoint = await s3.start();
    if (kind === 'a bucket')
      world.services.storage = new S3Storage({
        bucket: 'bucket',
        prefix: 'slipway',
        region: 'us-east-1',
        endpoint,
        credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      });
    ({ storage } = world.services);
    world.services.log = { ...world.services.log, error: (fields) => void logged.push(fields) };
  });
  afterAll(async () => {
    await s3.stop();
    await world.close();
  });

  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of storage.list('organizations/')) found.push(key);
    return found;
  };
  /** One job with a chunk of its own and one that was stored and never recorded. */
  const jobWithStray = async (finished: boolean) => {
    const { first } = await buildOf(world, 'steps: [{ command: "true" }]');
    const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken);
    await agent.takeJob();
    await agent.chunk(first.id, 0, 0, 'hello').expect(201);
    if (finished) await agent.finish(first.id).expect(200);
    const key = stray({ organizationId: first.organizationId, buildId: first.buildId, jobId: first.id }, 'stray');
    await storage.put(key, Buffer.from('x'));
    return { job: first, key };
  };
  /** A finished artifact of a job; its key in storage. */
  const artifactOf = async ({ id: jobId, organizationId, pipelineId, buildId }: JobRow) => {
    const id = world.system().newId();
    const now = world.clock.now();
    await world.services.db
      .insertInto('artifacts')
      .values({
        id,
        organizationId,
        pipelineId,
        buildId,
        jobId,
        batchId: id,
        position: 0,
        state: 'finished',
        path: 'a.txt',
        contentType: 'text/plain',
        fileSize: 1,
        sha1sum: '0'.repeat(40),
        createdAt: now,
        storedAt: now,
        finishedAt: now,
      })
      .execute();
    const key = artifactKey({ id, organizationId, buildId });
    await storage.put(key, Buffer.from('x'));
    return key;
  };
  const sweep = async () => {
    const sweeping = new StorageSweep();
    for (;;) if ((await sweeping.round(world.services)).ended) return sweeping;
  };

  test('bytes of logs and artifacts without a row are collected long after their job ended, and no other bytes are', async () => {
    const [running, over] = [await jobWithStray(false), await jobWithStray(true)];
    const gone = stray(
      { organizationId: over.job.organizationId, buildId: over.job.buildId, jobId: world.system().newId() },
      'stray',
    );
    await storage.put(gone, Buffer.from('x'));
    const file = artifactKey({ ...over.job, id: world.system().newId() });
    await storage.put(file, Buffer.from('an artifact'));
    const ownedFile = await artifactOf(over.job);
    await storage.put('organizations/x/builds/y/unknown/z', Buffer.from('of no kind'));
    const before = await keys();
    const finishedAt = world.clock.now();
    world.clock.advance(3600);
    await sweep();
    expect((await keys()).filter((key) => key.includes(over.job.id))).toHaveLength(2);
    world.clock.set(new Date(Math.max(Date.now(), finishedAt.getTime()) + 3 * 3_600_000));
    await tasks()
      .find(({ name }) => name === 'storage-sweep')
      ?.run(world.services, new AbortController().signal);
    const after = await keys();
    expect(before.filter((key) => !after.includes(key)).sort()).toEqual([over.key, gone, file].sort());
    expect(after).toEqual(expect.arrayContaining([running.key, ownedFile]));
    expect(logged).toEqual([]);
  });

  test('a log row whose bytes are missing is reported and counted, and reading the log still succeeds', async () => {
    const { job } = await jobWithStray(true);
    const { storedKey } = await world.services.db
      .selectFrom('log_chunks')
      .select('storedKey')
      .where('jobId', '=', job.id)
      .executeTakeFirstOrThrow();
    await storage.delete(storedKey);
    expect(Object.fromEntries((await sweep()).missingRows)).toEqual({ logs: 1, artifacts: 0 });
    expect(logged).toEqual([expect.objectContaining({ key: storedKey, reason: 'missing' })]);
    await tasks()
      .find(({ name }) => name === 'storage-sweep')
      ?.run(world.services, new AbortController().signal);
    expect(world.services.rowsWithoutBytes?.get('logs')).toBe(1);
    const log = await world.perform(world.admin, readJobLog, { job: { id: job.id } });
    expect([log.size, (await logText(log)).length]).toEqual([5, 5]);
  });

  test('a finished artifact without bytes is reported and counted', async () => {
    const { job } = await jobWithStray(true);
    const key = await artifactOf(job);
    expect((await sweep()).missingRows.get('artifacts')).toBe(0);
    await storage.delete(key);
    expect((await sweep()).missingRows.get('artifacts')).toBe(1);
    expect(logged).toContainEqual(expect.objectContaining({ key, reason: 'missing' }));
  });

  test('listing stored objects can resume after any key in any folder', async () => {
    const all = await keys();
    for (const after of all) {
      const rest: string[] = [];
      for await (const { key } of storage.list('organizations/', after)) rest.push(key);
      expect(rest).toEqual(all.slice(all.indexOf(after) + 1));
    }
  });
});
