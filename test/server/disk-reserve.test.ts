import request from 'supertest';
import { readByteSize } from '../../src/domain/limits/byte-size.js';
import { createApplication } from '../../src/server/application.js';
import { readConfig } from '../../src/server/config.js';
import { DiskRoom } from '../../src/storage/disk-room.js';
import { announced, ArtifactWorld, type Holder } from '../support/artifact-world.js';

const MiB = 1024 ** 2;

test.each([
  ['0', 0],
  ['1g', 1024 ** 3],
  ['1.5 GiB', 1.5 * 1024 ** 3],
  ['500M', 500 * MiB],
  ['20kb', 20 * 1024],
  ['4096', 4096],
  ['-1', null],
  ['1x', null],
  ['g', null],
  ['', null],
  ['999999999999t', null],
])('the size %j is read as %j bytes', (text, bytes) => {
  expect(readByteSize(text)).toBe(bytes);
});

test('DISK_RESERVE is one gibibyte unless it is set, and what is no size is refused', () => {
  expect(readConfig({}).diskReserveBytes).toBe(1024 ** 3);
  expect(readConfig({ DISK_RESERVE: '0' }).diskReserveBytes).toBe(0);
  expect(() => readConfig({ DISK_RESERVE: 'much' })).toThrow(/DISK_RESERVE: must be a size, such as 500m or 2g/);
});

test('the room of a directory that is not there yet is that of its disk', async () => {
  const room = await new DiskRoom('/tmp/not/there/yet', 1, () => undefined).look();
  expect(room?.freeBytes).toBeGreaterThan(0);
});

describe('a storage on a disk that fills', () => {
  let on: ArtifactWorld;
  let holder: Holder;
  let freeBytes = 300 * MiB;
  const states: string[] = [];
  beforeAll(async () => {
    on = await ArtifactWorld.create();
    holder = await on.holding();
  });
  afterAll(() => on.close());

  /** As the server sees the disk a second later. */
  function disk(free: number): void {
    freeBytes = free;
    const note = ({ state }: { state: string }) => void states.push(state);
    on.world.services.diskRoom = new DiskRoom('/', 100 * MiB, note, async () => freeBytes);
  }
  const readiness = async () => {
    const { status, body } = await request(createApplication(on.world.services, [], { metrics: false })).get('/readyz');
    return { status, body };
  };
  const chunk = (sequence: number, text: string) =>
    holder.agent.chunk(holder.job, sequence, (sequence - 1) * text.length, text);

  test('takes everything while there is room, and says early that it fills', async () => {
    disk(300 * MiB);
    await chunk(1, 'one\n').expect(201);
    expect((await readiness()).body).not.toHaveProperty('disk');
    disk(150 * MiB);
    await chunk(2, 'two\n').expect(201);
    const { status, body } = await readiness();
    expect([status, body.status, body.disk, body.message]).toEqual([
      200,
      'ready',
      'filling',
      'Everything can be used, but the disk of logs and artifacts is filling',
    ]);
    expect(states).toEqual(['filling']);
  });

  test('refuses new logs and artifacts with 507 below the reserve, is not ready, and takes them once there is room', async () => {
    disk(100 * MiB - 1);
    const message = 'There is no space left for logs and artifacts';
    const refused = await chunk(3, 'thr\n');
    expect([refused.status, refused.headers['retry-after'], refused.body.message]).toEqual([507, '60', message]);
    const { body } = await on.register(holder, [announced('report.txt', 'bytes')]).expect(201);
    const upload = () => on.sendForm(body.upload_instructions, 'report.txt', 'bytes');
    const refusedUpload = await upload();
    expect([refusedUpload.status, refusedUpload.body.message]).toEqual([507, message]);
    expect(await readiness()).toMatchObject({
      status: 503,
      body: { storage: 'unavailable', message: 'Storage of logs and artifacts cannot be used', database: 'ok' },
    });
    // What is there is read.
    await on.rest('get', '/organizations/acme').expect(200);

    disk(300 * MiB);
    await chunk(3, 'thr\n').expect(201);
    await upload().expect(204);
    expect((await readiness()).status).toBe(200);
  });

  test('refuses an artifact that would take the reserve', async () => {
    disk(100 * MiB + 3);
    const { body } = await on.register(holder, [announced('large.txt', 'bytes')]).expect(201);
    expect((await on.sendForm(body.upload_instructions, 'large.txt', 'bytes')).status).toBe(507);
  });

  test('is asked once a second however many requests there are, and counts as roomy where the system does not say', async () => {
    let asked = 0;
    const counting = new DiskRoom(
      '/',
      1,
      () => undefined,
      async () => (asked += 1),
    );
    await Promise.all(Array.from({ length: 50 }, () => counting.has(0)));
    expect(asked).toBe(1);
    const silent = new DiskRoom(
      '/',
      1,
      () => undefined,
      () => Promise.reject(new Error('no')),
    );
    expect([await silent.look(), await silent.has(1_000)]).toEqual([null, true]);
  });
});
