import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { artifactKey } from '../../src/core/build-folder.js';
import type { JobRow } from '../../src/entities/database.js';
import { logFolder } from '../../src/storage/logs/chunk-index.js';
import { S3Storage } from '../../src/storage/s3-storage.js';
import { StorageError, type ObjectStorage } from '../../src/storage/storage.js';
import { tasks } from '../../src/background/tasks.js';
import { logText } from '../../src/resources/builds/logs/log-text.js';
import { readJobLog } from '../../src/operations/builds/logs/read.js';
import { claimStorage } from '../../src/resources/installation/storage/claim-storage.js';
import { newHolder, releaseLease, takeLease } from '../../src/core/lease.js';
import { sweepLease } from '../../src/resources/installation/storage/sweep-lease.js';
import { sweepRound } from '../../src/resources/installation/storage/sweep-storage.js';
import { agentApp, buildOf, ScriptedAgent } from '../support/scripted-agent.js';
import { S3Server } from '../storage/s3-server.js';
import { sweepWholeStorage } from '../support/sweep-storage.js';
import { onPostgres } from '../support/database.js';
import { testUnless } from '../support/skips.js';
import { World } from '../support/world.js';

const dayMs = 86_400_000;

const stray = (ref: Parameters<typeof logFolder>[0], name: string) => `${logFolder(ref)}chunks/${name}.gz`;

describe.each(['files', 'a bucket'])('the sweep for orphaned logs and artifacts in %s (I19)', (kind) => {
  let world: World;
  let s3: S3Server;
  let storage: ObjectStorage;
  const logged: { examples?: string[]; artifacts?: number }[] = [];

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
    await claimStorage(world.services);
    world.services.log = { ...world.services.log, error: (fields) => void logged.push(fields) };
  });
  afterAll(async () => {
    await s3.stop();
    await world.close();
  });

  const keys = async (folder = 'organizations/') => {
    const found: string[] = [];
    for await (const { key } of storage.list(folder)) found.push(key);
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
  const sweep = () => sweepWholeStorage(world.services);
  const runTask = () =>
    tasks()
      .find(({ name }) => name === 'storage-sweep')
      ?.run(world.services, new AbortController().signal);
  /** Days after everything stored so far, by the clock of the world and that of the storage. */
  const afterDays = (days: number) =>
    world.clock.set(new Date(Math.max(Date.now(), world.clock.now().getTime()) + days * dayMs + 60_000));

  test('bytes of logs and artifacts without a row are moved aside a week later and deleted after another, and no other bytes are', async () => {
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
    if (kind === 'files') {
      afterDays(6);
      expect(await sweep()).toMatchObject({ quarantined: 0, unproven: 0 });
      expect(await keys()).toEqual(before);
      afterDays(1);
    } else afterDays(7);
    await runTask();
    const after = await keys();
    expect(before.filter((key) => !after.includes(key)).sort()).toEqual([over.key, gone, file].sort());
    expect(after).toEqual(expect.arrayContaining([running.key, ownedFile]));
    const day = world.clock.now().toISOString().slice(0, 10);
    expect(await keys('quarantine/')).toEqual([over.key, gone, file].map((key) => `quarantine/${day}/${key}`).sort());
    afterDays(6);
    expect(await sweep()).toMatchObject({ deleted: 0, inQuarantine: 3 });
    afterDays(2);
    expect(await sweep()).toMatchObject({ deleted: 3, inQuarantine: 0 });
    expect(await keys('quarantine/')).toEqual([]);
    expect(await keys()).toEqual(after);
    expect(logged).toEqual([]);
  });

  test('bytes in quarantine come back when a row for them turns up again', async () => {
    const { job } = await jobWithStray(true);
    const key = await artifactOf(job);
    const row = await world.services.db
      .selectFrom('artifacts')
      .selectAll()
      .where('jobId', '=', job.id)
      .executeTakeFirstOrThrow();
    await world.services.db.deleteFrom('artifacts').where('id', '=', row.id).execute();
    afterDays(8);
    await sweep();
    expect(await storage.stat(key)).toBeNull();
    await world.services.db.insertInto('artifacts').values(row).execute();
    expect(await sweep()).toMatchObject({ restored: 1, missing: { artifacts: 0 } });
    expect(await storage.get(key).then((body) => body && text(body))).toBe('x');
  });

  test('rows whose bytes are missing are one error line a pass, with their number by kind and some keys', async () => {
    const { job } = await jobWithStray(true);
    const { storedKey } = await world.services.db
      .selectFrom('log_chunks')
      .select('storedKey')
      .where('jobId', '=', job.id)
      .executeTakeFirstOrThrow();
    await storage.delete(storedKey);
    const files = [];
    for (let count = 0; count < 12; count += 1) files.push(await artifactOf(job));
    for (const key of files) await storage.delete(key);
    expect((await sweep()).missing).toEqual({ logs: 1, artifacts: 12 });
    expect(logged.splice(0)).toEqual([{ rows: 13, logs: 1, artifacts: 12, examples: expect.any(Array) }]);
    expect((await sweep()).missing).toEqual({ logs: 1, artifacts: 12 });
    const [{ examples = [] } = {}, ...more] = logged.splice(0);
    expect([examples.length, more.length, examples.includes(storedKey)]).toEqual([10, 0, true]);
    await runTask();
    expect(world.services.storageSweep?.missing['artifacts']).toBe(12);
    const log = await world.perform(world.admin, readJobLog, { job: { id: job.id } });
    expect([log.size, (await logText(log)).length]).toEqual([5, 5]);
    await world.services.db.deleteFrom('log_chunks').where('storedKey', '=', storedKey).execute();
    await world.services.db.deleteFrom('artifacts').where('jobId', '=', job.id).execute();
  });

  testUnless(
    onPostgres ? 'PostgreSQL has other processes' : null,
    'what a process that died had taken is free for the next one, whose database it is',
    async () => {
      await world.services.db
        .updateTable('storage_sweeps')
        .set({ leasedBy: 'the-process-before:1', leasedUntil: new Date(world.clock.now().getTime() + 500_000) })
        .execute();
      expect(await sweepRound(world.services, { holder: newHolder() })).not.toBe('busy');
      await world.services.db.updateTable('storage_sweeps').set({ leasedBy: null, leasedUntil: null }).execute();
    },
  );

  test('a pass goes on in another process where a round of this one ended, and the next pass begins an hour later', async () => {
    const { job } = await jobWithStray(true);
    const [first] = await world.services.db.selectFrom('artifacts').selectAll().limit(1).execute();
    if (!first) throw new Error('there is no artifact');
    const many = Array.from({ length: 250 }, () => {
      const id = world.system().newId();
      return { ...first, id, batchId: id, jobId: job.id, organizationId: job.organizationId, buildId: job.buildId };
    });
    await world.services.db.insertInto('artifacts').values(many).execute();
    await sweep();
    logged.length = 0;
    world.clock.advance(3601);
    const rounds = [];
    for (let count = 0; count < 4; count += 1) {
      await runTask();
      const { progress } = await world.services.db
        .selectFrom('storage_sweeps')
        .select('progress')
        .executeTakeFirstOrThrow();
      rounds.push(progress?.rows['artifacts']?.ended ?? 'resting');
    }
    expect(rounds).toEqual([false, 'resting', 'resting', 'resting']);
    expect(logged.map(({ artifacts }) => artifacts)).toEqual([250]);
    await world.services.db.deleteFrom('artifacts').where('jobId', '=', job.id).execute();
  });

  test('one process sweeps at a time, and one that died is succeeded after ten minutes', async () => {
    expect(await takeLease(world.services, sweepLease, 'a process that dies')).not.toBeNull();
    await runTask();
    expect(await sweepRound(world.services, { holder: 'another' })).toBe('busy');
    world.clock.advance(601);
    expect(await sweepRound(world.services, { holder: 'another' })).not.toBe('busy');
    await releaseLease(world.services, sweepLease, 'another');
  });

  test('an object that cannot be moved holds up no other', async () => {
    const strays = [await jobWithStray(true), await jobWithStray(true)];
    afterDays(8);
    const [stuck] = strays;
    const broken = Object.create(storage, {
      move: {
        value: async (from: string, to: string) => {
          if (from === stuck?.key) throw new StorageError('unavailable', 'Storage failed for one object');
          return storage.move(from, to);
        },
      },
    }) as ObjectStorage;
    await sweepWholeStorage({ ...world.services, storage: broken });
    expect(await Promise.all(strays.map(async ({ key }) => (await storage.stat(key)) !== null))).toEqual([true, false]);
    await sweep();
    expect(await storage.stat(stuck?.key ?? '')).toBeNull();
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

test('a large storage has more rounds a minute than a small one', async () => {
  const world = await World.create();
  const { db, storage } = world.services;
  await claimStorage(world.services);
  for (let number = 1000; number < 2_200; number += 1)
    await storage.put(`organizations/o/builds/b/jobs/j/log/${number}`, Buffer.from('x'));
  const sweep = tasks().find(({ name }) => name === 'storage-sweep');
  const seen = async () => {
    await sweep?.run(world.services, new AbortController().signal);
    const row = await db.selectFrom('storage_sweeps').select(['progress']).executeTakeFirstOrThrow();
    return row.progress?.objects;
  };
  const isOf = (count: number) => sql`update pg_class set reltuples = ${count} where oid = 'log_chunks'::regclass`;
  await isOf(0).execute(db);
  await world.services.db.updateTable('storage_sweeps').set({ progress: null, startedAt: null }).execute();
  // The first round is that of the quarantine and the first objects.
  expect(await seen()).toMatch(/\/1499$/);
  await isOf(1_000_000).execute(db);
  expect([undefined, null]).toContain(await seen());
  await world.close();
}, 60_000);
