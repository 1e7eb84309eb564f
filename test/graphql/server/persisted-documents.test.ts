import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import request from 'supertest';
import WebSocket from 'ws';
import { ConfigError } from '../../../src/services/config-error.js';
import { readPersistedDocuments } from '../../../src/graphql/server/persisted-documents.js';
import { ConsoleWorld } from '../../support/browser.js';
import { temporaryDirectory } from '../../support/directory.js';

const listed = 'query Name { viewer { user { name } } }';
const subscription = 'subscription Builds($id: ID!) { pipelines(id: $id) { cursor } }';
const ofConsole = 'query homePageQuery { viewer { user { email } } }';
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const directory = temporaryDirectory();
afterAll(() => directory.remove());

const file = (name: string, content: unknown): string => {
  const path = join(directory.path, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const consoleHashes = file('console.json', [hash(ofConsole)]);
const read = (content: unknown) => readPersistedDocuments(file('manifest.json', content), consoleHashes);

describe('a manifest of documents', () => {
  const apollo = (...operations: object[]) => ({ format: 'apollo-persisted-query-manifest', version: 1, operations });

  test('is read in the form of Apollo and as a map of documents', () => {
    for (const content of [apollo({ id: 'a', name: 'Name', type: 'query', body: listed }), { a: listed }]) {
      const documents = read(content);
      expect([documents.byId('a'), documents.byId('toString')]).toEqual([listed, undefined]);
      expect(documents.includes(listed, { session: false })).toBe(true);
      expect(documents.includes(`${listed} `, { session: true })).toBe(false);
    }
  });

  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'cannot be read'],
    ['a list', [listed], 'is neither a manifest'],
    ['another version', { ...apollo(), version: 2 }, 'is neither a manifest'],
    ['an operation without a body', apollo({ id: 'a' }), 'is neither a manifest'],
    [
      'two documents with one id',
      apollo({ id: 'a', body: listed }, { id: 'a', body: '{ a }' }),
      'two documents with the id "a"',
    ],
    ['a document that does not parse', { a: 'query {' }, 'does not parse, with the id "a": Syntax Error'],
  ])('is refused with the reason: %s', (_story, content, reason) => {
    expect(() => read(content)).toThrow(ConfigError);
    expect(() => read(content)).toThrow(new RegExp(`^GRAPHQL_MANIFEST: .*${reason}`));
  });

  test('that is not there is refused, and a console that was not built has no documents', () => {
    expect(() => readPersistedDocuments(join(directory.path, 'none'), consoleHashes)).toThrow('cannot be read');
    const documents = readPersistedDocuments(file('manifest.json', {}), join(directory.path, 'none'));
    expect(documents.includes(ofConsole, { session: true })).toBe(false);
  });
});

describe('an installation that takes listed documents only', () => {
  let on: ConsoleWorld;
  beforeAll(async () => {
    on = await ConsoleWorld.open();
    on.world.services.persistedDocuments = read({ [hash(listed)]: listed, builds: subscription });
  });
  afterAll(() => on.close());

  const ask = async (body: object) => {
    const reply = await request(on.url).post('/graphql').set('Authorization', on.world.admin.authorization).send(body);
    return { data: reply.body.data, code: reply.body.errors?.[0]?.extensions.code, status: reply.status };
  };
  const data = { viewer: { user: { name: expect.any(String) } } };

  test('executes them by hash, by id and by text', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: hash(listed) } };
    for (const body of [{ extensions }, { documentId: hash(listed) }, { query: listed }, { query: listed, extensions }])
      expect(await ask(body)).toEqual({ data, code: undefined, status: 200 });
  });

  test.each<[string, object, string]>([
    ['another text', { query: '{ viewer { user { email } } }' }, 'QUERY_NOT_IN_SAFELIST'],
    ['introspection', { query: '{ __schema { types { name } } }' }, 'QUERY_NOT_IN_SAFELIST'],
    ['a document of the console by a token', { query: ofConsole }, 'QUERY_NOT_IN_SAFELIST'],
    [
      'another text with the hash of a listed one',
      { query: '{ __typename }', extensions: { persistedQuery: { version: 1, sha256Hash: hash(listed) } } },
      'QUERY_NOT_IN_SAFELIST',
    ],
    ['an unknown hash', { extensions: { persistedQuery: { sha256Hash: hash('x') } } }, 'PERSISTED_QUERY_NOT_IN_LIST'],
    ['an unknown id', { documentId: 'constructor' }, 'PERSISTED_QUERY_NOT_IN_LIST'],
  ])('refuses %s', async (_story, body, code) => {
    expect(await ask(body)).toEqual({ data: undefined, code, status: 200 });
  });

  test('takes the documents of the console from who is signed in to it', async () => {
    await on.setPassword(on.world.admin.id, 'p');
    const browser = on.browser();
    await browser.signIn(on.world.admin.email, 'p');
    expect((await browser.query(ofConsole)).body.data).toEqual({ viewer: { user: { email: on.world.admin.email } } });
    const { body } = await browser.query('{ viewer { user { uuid } } }');
    expect(body.errors?.[0]?.extensions.code).toBe('QUERY_NOT_IN_SAFELIST');
  });

  test('holds subscriptions to the same list, over WebSockets and server-sent events', async () => {
    const other = 'subscription { pipelines(id: "acme") { cursor build { number } } }';
    const events = await request(on.url)
      .post('/graphql/stream')
      .set('Authorization', on.world.admin.authorization)
      .send({ query: other });
    expect(events.body.errors[0].extensions.code).toBe('QUERY_NOT_IN_SAFELIST');
    const client = createClient({
      url: `${on.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { Authorization: on.world.admin.authorization },
    });
    const first = (query: string, more: object = {}) =>
      new Promise((resolve) => {
        const stop = client.subscribe(
          { query, variables: { id: 'acme' }, ...more },
          {
            next: (value) => (resolve(value), stop()),
            error: resolve,
            complete: () => undefined,
          },
        );
      });
    expect(await first(other)).toEqual([
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'QUERY_NOT_IN_SAFELIST' }) }),
    ]);
    const named = { extensions: { persistedQuery: { sha256Hash: 'builds' } } };
    for (const taken of [first(subscription), first('', named)])
      expect(await taken).toEqual({ data: { pipelines: { cursor: expect.any(String) } } });
    await client.dispose();
  });
});
