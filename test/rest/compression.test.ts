import { RestWorld } from './rest-world.js';

let rest: RestWorld;
const builds = '/organizations/acme/pipelines/app/builds';

beforeAll(async () => {
  rest = await RestWorld.create();
  await rest.world.pipeline('steps: [{ command: make }]', { slug: 'app' });
  await rest.post(builds, { commit: 'HEAD', branch: 'main' });
});
afterAll(() => rest.close());

const read = (path: string, acceptEncoding: string, headers: Record<string, string> = {}) =>
  rest.get(path).set({ 'Accept-Encoding': acceptEncoding, ...headers });

describe('compressed replies', () => {
  test.each(['gzip', 'br', 'deflate'])('a list is sent as %s where the client takes nothing else', async (encoding) => {
    const plain = await read(builds, 'identity');
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    const reply = await read(builds, encoding);
    expect(reply.headers).toMatchObject({ 'content-encoding': encoding, etag: plain.headers['etag'] });
    expect(reply.text).toBe(plain.text);
  });

  test('Vary names the headers that a reply depends on, with and without compression', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const { headers } = await read(builds, encoding);
      expect(String(headers['vary']).split(', ')).toEqual(['Accept', 'Accept-Encoding']);
    }
  });

  test('an entity tag of a compressed reply finds the reply unchanged in any encoding', async () => {
    const { etag } = (await read(builds, 'gzip')).headers;
    for (const encoding of ['identity', 'gzip', 'br']) {
      const again = await read(builds, encoding, { 'If-None-Match': String(etag) });
      expect([again.status, again.text, again.headers['content-encoding']]).toEqual([304, '', undefined]);
    }
  });

  test('an encoding that the client refuses is not used', async () => {
    const reply = await read(builds, 'gzip;q=0, br;q=0');
    expect([reply.status, reply.headers['content-encoding']]).toEqual([200, undefined]);
  });

  test('small replies and errors are sent as they are', async () => {
    const missing = await read('/organizations/acme/pipelines/none', 'gzip');
    expect([missing.status, missing.headers['content-encoding']]).toEqual([404, undefined]);
    expect((await read('/user', 'gzip')).headers['content-encoding']).toBeUndefined();
  });

  test('logs are streamed as they are, in every form', async () => {
    const { body } = await rest.get(`${builds}/1`);
    for (const form of ['log', 'log.txt', 'log.html']) {
      const reply = await read(`${builds}/1/jobs/${body.jobs[0].id}/${form}`, 'gzip');
      expect([form, reply.status, reply.headers['content-encoding']]).toEqual([form, 200, undefined]);
    }
  });

  test('the document of the API is compressed, and is the same document', async () => {
    const [plain, compressed] = [await read('/openapi.json', 'identity'), await read('/openapi.json', 'gzip')];
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.text).toBe(plain.text);
  });
});

describe('query parameters', () => {
  test('parameters that no route reads are ignored, also with brackets and repeated', async () => {
    const plain = await rest.get(builds);
    const reply = await rest.get(`${builds}?Fields=map[]&x[a][b]=1&x=2&unknown=1&unknown=2`);
    expect([reply.status, reply.body]).toEqual([200, plain.body]);
  });

  test('a cursor that is longer than any is refused as malformed', async () => {
    for (const name of ['after', 'before'])
      expect((await rest.get(`${builds}/1/events?${name}=${'a'.repeat(1_001)}`)).status).toBe(400);
  });

  test('a page beyond the end of a list is empty, however far beyond', async () => {
    for (const page of [2, 100_000, 999_999_999]) {
      const { status, body } = await rest.get(`/organizations/acme/pipelines?page=${page}&per_page=100`);
      expect([page, status, body]).toEqual([page, 200, []]);
    }
  });

  test('of a repeated parameter with one value the last counts, of a list every one', async () => {
    expect((await rest.get(`${builds}?per_page=x&per_page=1`)).status).toBe(200);
    expect((await rest.get(`${builds}?per_page=1&per_page=x`)).status).toBe(400);
    const found = async (query: string) => (await rest.get(`${builds}?${query}`)).body.length;
    expect(await found('branch=none&branch=main')).toBe(1);
    expect(await found('branch[]=main&branch=none')).toBe(1);
    expect(await found('branch=none&branch[]=other')).toBe(0);
  });
});
