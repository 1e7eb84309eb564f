import { rmSync, writeFileSync } from 'node:fs';
import request from 'supertest';
import { keyId } from '../../src/auth/secret-keys.js';
import { sharedFor } from '../../src/server/health.js';
import { createApplication } from '../../src/server/application.js';
import { DiskStorage } from '../../src/storage/disk-storage.js';
import { S3Storage } from '../../src/storage/s3-storage.js';
import { agentApp, buildOf, ScriptedAgent } from '../support/scripted-agent.js';
import { temporaryDirectory } from '../support/database.js';
import { S3Server } from '../storage/s3-server.js';
import { World } from '../support/world.js';

test('callers share one health check while it runs, and a failed result is not reused', async () => {
  let checks = 0;
  let finish: (error?: Error) => void = () => {};
  const check = sharedFor(60_000, () => {
    checks += 1;
    return new Promise<number>((resolve, reject) => {
      const number = checks;
      finish = (error) => (error ? reject(error) : resolve(number));
    });
  });
  const failing = [check(), check()];
  finish(new Error('no'));
  await Promise.all(failing.map((each) => expect(each).rejects.toThrow('no')));
  const working = [check(), check()];
  finish();
  expect(await Promise.all([...working, check()])).toEqual([2, 2, 2]);
});

describe('the health of a server', () => {
  let world: World;
  const logged: { part?: string; reason?: string }[] = [];
  beforeAll(async () => {
    world = await World.create();
    world.services.log = { ...world.services.log, error: (fields) => void logged.push(fields) };
  });
  afterAll(() => world.close());
  beforeEach(() => logged.splice(0));

  const ask = async (path: string, services = world.services, isMigrated = async () => true) => {
    const { status, body } = await request(createApplication(services, [], { metrics: false, isMigrated })).get(path);
    return { status, body };
  };
  const bucket = (endpoint: string, name: string) =>
    new S3Storage({
      bucket: name,
      prefix: '',
      region: 'us-east-1',
      endpoint,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    });

  test('the server is healthy while database, schema, key and storage can be used', async () => {
    expect(await ask('/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await ask('/readyz')).toEqual({
      status: 200,
      body: {
        status: 'ready',
        message: 'Everything can be used',
        database: 'ok',
        schema: 'ok',
        key: 'ok',
        storage: 'ok',
        log: 'ok',
      },
    });
  });

  test('a good check counts for a second at /healthz, and /readyz answers what a check finds now', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let broken = false;
    const services = {
      ...world.services,
      get db() {
        if (broken) throw new Error('the database is gone');
        return world.services.db;
      },
    };
    const application = createApplication(services, [], { metrics: false });
    const status = async (path: string) => (await request(application).get(path)).status;
    expect([await status('/readyz'), await status('/healthz')]).toEqual([200, 200]);
    broken = true;
    vi.advanceTimersByTime(900);
    expect(await status('/healthz')).toBe(200);
    // The check that this request began has found the outage.
    expect([await status('/healthz'), await status('/readyz')]).toEqual([503, 503]);
    broken = false;
    vi.advanceTimersByTime(300);
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200]);
    broken = true;
    vi.advanceTimersByTime(1_100);
    expect(await status('/healthz')).toBe(503);
    vi.useRealTimers();
  });

  test('a missing bucket makes the server unready with a log entry, and is not mistaken for missing logs', async () => {
    const server = new S3Server();
    const endpoint = await server.start();
    const storage = bucket(endpoint, 'missing');
    const services = { ...world.services, storage };
    expect(await ask('/readyz', services)).toEqual({
      status: 503,
      body: {
        status: 'unavailable',
        message: 'Storage of logs and artifacts cannot be used',
        database: 'ok',
        schema: 'ok',
        key: 'ok',
        storage: 'unavailable',
        log: 'ok',
      },
    });
    // A liveness probe must not restart the server: the bucket would be as missing after that.
    expect(await ask('/healthz', services)).toEqual({ status: 200, body: { status: 'ok' } });
    expect(logged[0]).toMatchObject({ part: 'storage', reason: expect.stringContaining('404') });
    await expect(storage.get('some/key')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await bucket(endpoint, 'bucket').get('some/key')).toBeNull();
    await server.stop();
  });

  test('the server is unhealthy once another installation has taken its storage over', async () => {
    expect(await ask('/readyz', { ...world.services, isStorageForeign: true })).toMatchObject({
      status: 503,
      body: { storage: 'unavailable', database: 'ok' },
    });
  });

  test('the server is unhealthy with pending migrations or values sealed by an unknown key', async () => {
    expect(await ask('/readyz', world.services, async () => false)).toMatchObject({
      status: 503,
      body: { schema: 'unavailable', database: 'ok' },
    });
    await world.services.db
      .insertInto('secret_keys')
      .values({ id: keyId('another key'), createdAt: world.clock.now() })
      .execute();
    expect(await ask('/readyz')).toMatchObject({ status: 503, body: { key: 'unavailable', schema: 'ok' } });
    expect((await ask('/healthz')).status).toBe(503);
    await world.services.db.deleteFrom('secret_keys').execute();
    expect((await ask('/healthz')).status).toBe(200);
  });

  test('a log chunk that cannot be stored is answered 503 with Retry-After, and accepted once storage works again', async () => {
    const directory = temporaryDirectory();
    const folder = `${directory.path}/objects`;
    writeFileSync(folder, 'a file where the folder should be');
    const before = world.services.storage;
    world.services.storage = new DiskStorage(folder);
    const app = agentApp(world);
    const { first } = await buildOf(world, 'steps: [{ command: "true" }]');
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    await agent.takeJob();
    const send = () => agent.chunk(first.id, 0, 0, 'hello');
    const refused = await send();
    expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
      503,
      '5',
      { message: 'Storage of logs and artifacts cannot be used right now' },
    ]);
    rmSync(folder);
    expect((await send()).status).toBe(201);
    world.services.storage = before;
    directory.remove();
  });
});
