import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { logRef, logStore } from '../../../src/resources/builds/logs/log-store.js';
import { appendChunk } from '../../../src/storage/logs/append-chunk.js';
import { expectShape } from '../reply-shape.js';
import { RestWorld } from '../rest-world.js';

let rest: RestWorld;
beforeAll(async () => {
  rest = await RestWorld.create();
  await rest.world.pipeline('steps: [{ command: make }, wait]', { slug: 'app' });
});
afterAll(() => rest.close());

/** A running job with a log of these chunks; paths of the job and of the waiter behind it. */
async function jobWithLog(...chunks: (string | Buffer)[]): Promise<{
  path: string;
  short: string;
  waiter: string;
  append: (chunk: string | Buffer) => Promise<void>;
}> {
  const { body } = await rest.post('/organizations/acme/pipelines/app/builds', { commit: 'HEAD', branch: 'main' });
  const { services, clock } = rest.world;
  const job = await services.db
    .updateTable('jobs')
    .set({ state: 'finished', passed: true, startedAt: clock.now(), finishedAt: clock.now() })
    .where('id', '=', body.jobs[0].id)
    .returningAll()
    .executeTakeFirstOrThrow();
  let [sequence, offset] = [0, 0];
  const append = async (chunk: string | Buffer) => {
    const bytes = Buffer.from(chunk as string);
    await appendChunk(logStore(services, job.organizationId), logRef(job), {
      sequence: (sequence += 1),
      offset,
      size: bytes.length,
      bytes,
    });
    offset += bytes.length;
  };
  for (const chunk of chunks) await append(chunk);
  const build = body.url.replace('http://slipway.test/v2', '');
  return {
    path: `${build}/jobs/${job.id}/log`,
    short: `/organizations/acme/jobs/${job.id}/log`,
    waiter: `${build}/jobs/${body.jobs[1].id}/log`,
    append,
  };
}

const first = '\x1b_bk;t=1767323045000\x07--- \x1b[32mbuild\x1b[0m\n';
const second = '<b>grün</b> done\n';

test('a log is JSON by default, with its size in bytes and its header times as integers', async () => {
  const { path, short } = await jobWithLog(first, second);
  const reply = await rest.get(path);
  expect([reply.status, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
    200,
    'application/json; charset=utf-8',
    'no-cache',
  ]);
  // Nanoseconds exceed the precision of a JavaScript number: their digits are checked as text below.
  expectShape('JobLog', { ...reply.body, header_times: [] });
  expect(reply.body).toMatchObject({
    url: `http://slipway.test/v2${path}`,
    content: first + second,
    size: Buffer.byteLength(first + second),
  });
  expect(reply.text).toContain('"header_times":[1767323045000000000]');
  expect((await rest.get(short)).text).toBe(reply.text);
});

test('the HTML of a merged log is rendered once, and again when a late chunk has come', async () => {
  const { path, append } = await jobWithLog(first, second);
  const { services, clock } = rest.world;
  const rendered = () => Object.values(services.workers.counts()['log.render'].ended).reduce((sum, n) => sum + n, 0);
  const htmlOf = async () => (await rest.get(`${path}.html`).expect(200)).text;
  const before = rendered();
  const html = await htmlOf();
  const once = rendered() - before;
  expect(once).toBeGreaterThan(0);
  await htmlOf();
  expect(rendered() - before).toBe(2 * once);
  await services.db
    .updateTable('jobs')
    .set({ logCompactedAt: clock.now() })
    .where('id', '=', path.split('/').at(-2)!)
    .execute();
  for (let time = 0; time < 3; time += 1) expect(await htmlOf()).toBe(html);
  expect(rendered() - before).toBe(3 * once);
  await append('late <line>\n');
  expect(await htmlOf()).toBe(`${html}\n${'late &lt;line&gt;'}`);
});

test('a log is text or HTML by suffix and by Accept, and its HTML runs no scripts', async () => {
  const { path } = await jobWithLog(first, second);
  for (const text of [await rest.get(`${path}.txt`), await rest.get(path).set('Accept', 'text/plain')]) {
    expect([text.status, text.headers['content-type'], text.text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      first + second,
    ]);
  }
  for (const html of [await rest.get(`${path}.html`), await rest.get(path).set('Accept', 'text/html')]) {
    expect([html.status, html.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html.text).toContain('&lt;b&gt;grün');
    expect(html.headers['content-security-policy']).toContain("default-src 'none'");
  }
});

test('HEAD of a log returns the size of the stored log', async () => {
  const { path } = await jobWithLog(first, second);
  const reply = await rest.request('head', `${path}.txt`);
  expect([reply.status, reply.headers['content-length'], reply.headers['accept-ranges']]).toEqual([
    200,
    String(Buffer.byteLength(first + second)),
    'bytes',
  ]);
});

describe('ranges of a log', () => {
  test('a suffix range returns the last bytes of the text form', async () => {
    const { path } = await jobWithLog('0123', '456789');
    const reply = await rest.get(path).set({ Accept: 'text/plain', Range: 'bytes=-7' });
    expect([reply.status, reply.headers['content-range'], reply.headers['content-length'], reply.text]).toEqual([
      206,
      'bytes 3-9/10',
      '7',
      '3456789',
    ]);
    expect((await rest.get(path).set({ Accept: 'text/plain', Range: 'bytes=-100' })).headers['content-range']).toBe(
      'bytes 0-9/10',
    );
  });

  test.each([
    ['text/plain', 'bytes=-0'],
    ['text/plain', 'bytes=0-4'],
    ['text/plain', 'lines=-4'],
    ['application/json', 'bytes=-4'],
    ['text/html', 'bytes=-4'],
  ])('a %s log with the range %s is answered 400', async (Accept, Range) => {
    const { path } = await jobWithLog('0123456789');
    const reply = await rest.get(path).set({ Accept, Range });
    expect([reply.status, reply.headers['content-type'], typeof reply.body.message]).toEqual([
      400,
      'application/json; charset=utf-8',
      'string',
    ]);
  });

  test('a range of an empty log is answered 416', async () => {
    const { path } = await jobWithLog();
    const reply = await rest.get(`${path}.txt`).set('Range', 'bytes=-4');
    expect([reply.status, reply.headers['content-range'], typeof reply.body.message]).toEqual([
      416,
      'bytes */0',
      'string',
    ]);
  });
});

test('a deleted log is empty, and deleting it again succeeds', async () => {
  const { path } = await jobWithLog(first);
  for (let times = 0; times < 2; times += 1) expect((await rest.request('delete', path)).status).toBe(204);
  expect((await rest.get(path)).body).toMatchObject({ content: '', size: 0, header_times: [] });
  expect((await rest.get(`${path}.txt`)).text).toBe('');
});

test('a wait job has no log', async () => {
  const { waiter } = await jobWithLog();
  const reply = await rest.get(waiter);
  expect([reply.status, reply.body]).toEqual([404, { message: 'Not Found' }]);
});

test('a client that disconnects in the middle of a long log does not affect others', async () => {
  const { path } = await jobWithLog(
    ...Array.from({ length: 40 }, (_, index) => Buffer.alloc(100_000, 97 + (index % 26))),
  );
  const server = rest.app.listen(0);
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(
      { port, path: `/v2${path}.txt`, headers: { Authorization: rest.world.admin.authorization } },
      (response) => {
        response.once('data', () => {
          response.destroy();
          resolve();
        });
      },
    );
    request.once('error', reject);
    request.end();
  });
  const whole = await rest.get(`${path}.txt`);
  expect(whole.text).toHaveLength(4_000_000);
  await new Promise((resolve) => server.close(resolve));
});
