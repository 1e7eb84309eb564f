import request from 'supertest';
import { Door } from '../support.js';

describe('compressed replies of /graphql', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
  });
  afterAll(() => door.close());

  const types = '{ __schema { types { name description } } }';
  const ask = (encoding: string, headers: Record<string, string> = {}) =>
    door
      .post()
      .set({ 'Accept-Encoding': encoding, ...headers })
      .send({ query: types });

  test.each(['gzip', 'br', 'deflate'])('a large reply is sent as %s where the client takes it', async (encoding) => {
    const plain = await ask('identity');
    expect([plain.status, plain.headers['content-encoding'], plain.headers['vary']]).toEqual([
      200,
      undefined,
      expect.stringContaining('Accept-Encoding'),
    ]);
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const reply = await ask(encoding, { Accept: accept });
      expect(reply.headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': expect.stringContaining(accept),
        vary: expect.stringContaining('Accept-Encoding'),
      });
      expect(JSON.parse(reply.text)).toEqual(plain.body);
    }
  });

  test('small replies and refused encodings are sent as they are', async () => {
    const small = await door.post().set('Accept-Encoding', 'gzip').send({ query: '{ __typename }' });
    expect([small.status, small.headers['content-encoding']]).toEqual([200, undefined]);
    expect((await ask('gzip;q=0')).headers['content-encoding']).toBeUndefined();
  });

  test('server-sent events are never compressed, on either path', async () => {
    for (const path of ['/graphql', '/graphql/stream']) {
      const reply = await request(door.app)
        .post(path)
        .set({
          Authorization: door.world.admin.authorization,
          Accept: 'text/event-stream',
          'Accept-Encoding': 'gzip, br',
        })
        .send({ query: 'subscription { build(id: "none") { cursor } }' });
      expect([path, reply.headers['content-type'], reply.headers['content-encoding']]).toEqual([
        path,
        expect.stringContaining('text/event-stream'),
        'none',
      ]);
    }
  });
});
