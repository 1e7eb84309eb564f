import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { limits } from '../../../src/domain/limits/limits.js';
import type { ArtifactRow } from '../../../src/entities/database.js';
import { artifactKey } from '../../../src/core/build-folder.js';
import { StorageError } from '../../../src/storage/storage.js';
import { ArtifactWorld, type Holder } from '../../support/artifact-world.js';

const png = Buffer.from('not compressed '.repeat(100)).toString();
let on: ArtifactWorld;
let holder: Holder;
let build: string;
let job: string;
beforeAll(async () => {
  on = await ArtifactWorld.create();
  holder = await on.holding();
  await on.upload(holder, {
    'dist/a.txt': 'hello '.repeat(1000),
    '../../escape.txt': 'climbed',
    'empty.txt': '',
  });
  await on.upload(holder, { 'image.png': png }, { content_type: 'image/png' });
  await on.upload(holder, { 'dist/a.txt': 'newer' });
  build = `/organizations/acme/pipelines/${holder.slug}/builds/${holder.build.number}`;
  job = `${build}/jobs/${holder.job}`;
});
afterAll(async () => {
  await on.close();
});

async function addressOf(parent: string): Promise<string> {
  const { body } = await on.rest('get', `${parent}/artifacts.zip`).expect(302);
  return body.url as string;
}

interface Entry {
  name: string;
  text: string;
  method: number;
}

/** What another program unpacks, in order. */
async function unpack(bytes: Buffer): Promise<Entry[]> {
  const entries: Entry[] = [];
  const zip = await fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) {
    const text = (await buffer(await zip.openReadStreamPromise(entry))).toString();
    entries.push({ name: entry.fileName, text, method: entry.compressionMethod });
  }
  return entries;
}

async function entriesOf(parent: string): Promise<Entry[]> {
  const reply = await on
    .follow('get', await addressOf(parent))
    .buffer(true)
    .parse((response, done) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => done(null, Buffer.concat(parts)));
    })
    .expect(200);
  expect(reply.headers['content-type']).toBe('application/zip');
  return unpack(reply.body as Buffer);
}

describe('an archive of artifacts', () => {
  test('of a build and of a job holds all of them, under safe names, text made smaller', async () => {
    const own = expect.stringMatching(/^Make-[0-9a-f]{12}\/dist\/a\.txt$/);
    const whole = [
      { name: 'dist/a.txt', text: 'newer', method: 8 },
      { name: 'image.png', text: png, method: 0 },
      { name: 'empty.txt', text: '', method: 8 },
      { name: 'escape.txt', text: 'climbed', method: 8 },
      { name: own, text: 'hello '.repeat(1000), method: 8 },
    ];
    for (const parent of [build, job, `/organizations/acme/jobs/${holder.job}`])
      expect(await entriesOf(parent)).toEqual(whole);
  });

  test('has a name of its own, and only its reader may look at it', async () => {
    const address = await addressOf(build);
    const { headers, text } = await on.follow('head', address).expect(200);
    expect([headers['content-disposition'], text]).toEqual([
      `attachment; filename=${holder.slug}-${holder.build.number}-artifacts.zip`,
      undefined,
    ]);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    const { pathname, search } = new URL(address);
    for (const wrong of [
      pathname,
      `${pathname}?expires=9999999999&signature=${'0'.repeat(64)}`,
      `${pathname.replace('/build/', '/job/')}${search}`,
      `${pathname.replace('/build/', '/organization/')}${search}`,
      `${pathname.slice(0, -1)}%00${search}`,
    ])
      await on.follow('get', new URL(wrong, address).href).expect(404);
    on.world.clock.advance(61);
    await on.follow('get', address).expect(410);
    await on.rest('get', `${build}/artifacts.zip`, on.world.outsider).expect(404);
    const { admin } = on.world;
    const narrow = await on.world.personWithToken(admin.id, admin.email, { scopes: ['read_builds'] });
    await on.rest('get', `${build}/artifacts.zip`, narrow).expect(403);
  });

  test('says which artifacts it lacks, also those whose bytes go while it is sent', async () => {
    const other = await on.holding();
    const [gone = '', broken = ''] = await on.upload(other, { 'gone.txt': 'a', 'broken.txt': 'b', 'kept.txt': 'c' });
    const parent = `/organizations/acme/pipelines/${other.slug}/builds/${other.build.number}`;
    await on.rest('delete', `${parent}/artifacts/${gone}`).expect(204);
    const elsewhere = { upload_destination: 's3://bucket/', url: 'https://files.example.com/x' };
    const { body } = await on.register(
      other,
      [
        {
          path: 'away.txt',
          absolute_path: '/away.txt',
          glob_path: '*',
          file_size: 1,
          sha1sum: 'a'.repeat(40),
          ...elsewhere,
        },
      ],
      elsewhere,
    );
    await on.states(other, [{ id: body.artifact_ids[0], state: 'finished' }]).expect(200);
    await on.world.services.storage.delete(artifactKey(await on.row(broken)));
    const entries = await entriesOf(parent);
    expect(entries.map(({ name }) => name)).toEqual(['kept.txt', 'NOT IN THIS ARCHIVE.txt']);
    expect(entries[1]?.text.split('\n').slice(2).sort()).toEqual([
      '',
      'away.txt is in a storage of its agent',
      'broken.txt was deleted',
      'gone.txt was deleted',
    ]);
  });

  test('is not there for a build without artifacts', async () => {
    const none = await on.holding();
    await on.rest('get', `/organizations/acme/jobs/${none.job}/artifacts.zip`).expect(404);
  });

  test.each([
    ['files', { fileSize: 0 }, limits.artifactArchiveFiles + 1, /at most 10000 artifacts, and there are more/],
    ['bytes', { fileSize: limits.artifactBytes }, 3, /at most 21474836480 bytes; these have 32212254721\. Download/],
    ['letters of paths', { path: 'p'.repeat(4096) }, 1025, /at most 4194304 bytes; these have 4198407/],
  ])('with too many %s is refused, and the refusal says what to do instead', async (_what, change, count, why) => {
    const many = await on.holding();
    const [id = ''] = await on.upload(many, { 'one.txt': '1' });
    const row = await on.row(id);
    const rows = Array.from({ length: count }, (_, index): ArtifactRow => ({
      ...row,
      ...change,
      id: on.world.system().newId(),
      position: index + 1,
    }));
    for (let start = 0; start < rows.length; start += 1000)
      await on.world.services.db
        .insertInto('artifacts')
        .values(rows.slice(start, start + 1000))
        .execute();
    const { status, body } = await on.rest('get', `/organizations/acme/jobs/${many.job}/artifacts.zip`);
    expect([status, body.message]).toEqual([422, expect.stringMatching(why)]);
    expect(body.message).toMatch(/Download single artifacts instead\.$/);
    expect(
      (await on.rest('get', `/organizations/acme/pipelines/${many.slug}/builds/${many.build.number}/artifacts.zip`))
        .body.message,
    ).toMatch(/Download those of one job, or single artifacts instead\.$/);
  });

  describe('while it is sent', () => {
    const served = { close: () => undefined as void, url: '' };
    const opened: Readable[] = [];
    let real: ArtifactWorld['world']['services']['storage']['get'];
    beforeAll(async () => {
      const server = createServer(on.app).listen(0, '127.0.0.1');
      await once(server, 'listening');
      served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      served.close = () => {
        server.closeAllConnections();
        server.close();
      };
      real = on.world.services.storage.get.bind(on.world.services.storage);
    });
    afterEach(() => {
      opened.length = 0;
      on.world.services.storage.get = real;
    });
    afterAll(() => served.close());

    async function begin() {
      const { pathname, search } = new URL(await addressOf(build));
      const sent = httpRequest(`${served.url}${pathname}${search}`).end();
      const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
      return response;
    }

    /** Nothing makes them smaller. */
    const noise = randomBytes(64 * 1024);

    /** Bytes without an end, which say how many were asked for. */
    function endless() {
      const stream = new Readable({
        highWaterMark: 64 * 1024,
        read() {
          made += 64 * 1024;
          this.push(noise);
        },
      });
      let made = 0;
      opened.push(stream);
      return { stream, made: () => made };
    }

    test('its reader decides how fast it is read, and ends it by leaving', async () => {
      const source = endless();
      on.world.services.storage.get = async () => source.stream;
      const response = await begin();
      response.pause();
      await expect.poll(() => source.made()).toBeGreaterThan(64 * 1024);
      let before = -1;
      await expect
        .poll(() => {
          const same = before === source.made();
          before = source.made();
          return same;
        })
        .toBe(true);
      // What waits is in the buffers of streams and sockets.
      expect(before).toBeLessThan(32 * 1024 * 1024);
      response.destroy();
      await expect.poll(() => source.stream.destroyed).toBe(true);
      expect(opened).toHaveLength(1);
    });

    test('a storage that fails breaks it off, so that nobody takes a part for the whole', async () => {
      let calls = 0;
      on.world.services.storage.get = async (key, range) => {
        calls += 1;
        if (calls === 2) throw new StorageError('unavailable', 'Storage failed');
        return real(key, range);
      };
      const response = await begin();
      response.resume();
      const [error] = await once(response, 'error').catch((reason: Error) => [reason]);
      expect((error as NodeJS.ErrnoException).code).toBe('ECONNRESET');
    });

    test('two of one organization are sent at a time; a third waits for its turn', async () => {
      const sources = [endless(), endless()];
      const all = [...sources];
      on.world.services.storage.get = async (key, range) => all.shift()?.stream ?? real(key, range);
      const [first, second] = [await begin(), await begin()];
      first.pause();
      second.pause();
      let isAnswered = false;
      const third = begin().then((response) => {
        isAnswered = true;
        return response;
      });
      await new Promise((done) => setTimeout(done, 500));
      expect(isAnswered).toBe(false);
      first.destroy();
      const response = await third;
      expect(response.statusCode).toBe(200);
      response.resume();
      await once(response, 'end');
      second.destroy();
      await expect.poll(() => sources.every(({ stream }) => stream.destroyed)).toBe(true);
    });
  });
});
