import type { Response } from 'supertest';
import { Door } from '../support.js';

const ownType = 'application/graphql-response+json';

describe('GraphQL over HTTP', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
    for (const slug of ['a', 'b', 'c']) await door.world.pipeline('steps: []', { slug });
  });
  afterAll(() => door.close());

  const codes = ({ body }: Response) =>
    body.errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
  const asked = (body: object, accept: string) => door.post().set('Accept', accept).send(body);

  test('a document that cannot begin is answered 400 in the media type of GraphQL replies, 200 under application/json', async () => {
    const broken: [string, object][] = [
      ['GRAPHQL_PARSE_FAILED', { query: '{' }],
      ['GRAPHQL_VALIDATION_FAILED', { query: '{ nonsense }' }],
      ['BAD_USER_INPUT', { query: 'query ($id: ID!) { node(id: $id) { id } }', variables: {} }],
    ];
    for (const [code, body] of broken) {
      const [own, json] = [await asked(body, ownType), await asked(body, 'application/json')];
      expect([code, own.status, own.type, codes(own), 'data' in own.body]).toEqual([code, 400, ownType, [code], false]);
      expect([code, json.status, json.type, codes(json)]).toEqual([code, 200, 'application/json', [code]]);
    }
  });

  test('validation suggests what may have been meant, as introspection tells it anyway', async () => {
    const { body } = await asked({ query: '{ organisation(slug: "acme") { name } }' }, 'application/json');
    expect(body.errors[0].message).toContain('Did you mean "organization"');
  });

  test('a field that fails leaves the status at 200 in both', async () => {
    const query = '{ viewer { apiAccessTokens(first: 1) { count } } }';
    for (const accept of [ownType, 'application/json']) {
      const reply = await asked({ query }, accept);
      expect([reply.status, codes(reply), reply.body.data]).toEqual([
        200,
        ['FORBIDDEN'],
        { viewer: { apiAccessTokens: null } },
      ]);
    }
  });

  test('a query that is named by its hash is refused, so that the client sends its text', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    const refused = await asked({ extensions }, 'application/json');
    expect([refused.status, codes(refused), refused.body.errors[0].message]).toEqual([
      200,
      ['PERSISTED_QUERY_NOT_SUPPORTED'],
      'PersistedQueryNotSupported',
    ]);
    expect((await asked({ extensions }, ownType)).status).toBe(400);
    const sent = await asked({ query: '{ __typename }', extensions }, 'application/json');
    expect(sent.body).toEqual({ data: { __typename: 'Query' } });
  });

  test('a cursor leads on in its own order, and is refused in another', async () => {
    const page = (order: string, after: string | null) =>
      door.ask(
        `query ($after: String) { organization(slug: "acme") { pipelines(first: 1, after: $after, order: ${order}) { edges { cursor node { slug } } } } }`,
        { after },
      );
    const first = await page('NAME', null);
    const [{ cursor, node }] = first.data.organization.pipelines.edges;
    expect(node.slug).toBe('a');
    expect((await page('NAME', cursor)).data.organization.pipelines.edges[0].node.slug).toBe('b');
    const { data, errors } = await page('RECENTLY_CREATED', cursor);
    expect([data, errors?.[0]?.message]).toEqual([
      { organization: { pipelines: null } },
      'The cursor belongs to a list in another order; begin this one at its start',
    ]);
  });
});
