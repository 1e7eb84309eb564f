import { limits } from '../../../src/domain/limits/limits.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { SentStatements } from '../../support/sent-statements.js';
import { newSuite, result, upload } from '../../support/suites.js';

let surfaces: BothSurfaces;
let suite: Awaited<ReturnType<typeof newSuite>>;
let run: string;
let tagsPath: string;
const sentStatements = new SentStatements();
beforeAll(async () => {
  surfaces = await BothSurfaces.open({ embedded: sentStatements.embedded });
  suite = await newSuite(surfaces, 'RSpec');
  tagsPath = `${suite.path}/execution-tags`;
  const sent = [result('a', { tags: { os: 'linux' } }), result('b')];
  run = (await upload(surfaces, suite.authorization, 'K', sent)).run_id;
});
afterAll(async () => {
  sentStatements.close();
  await surfaces.close();
});

const executions = () => surfaces.read(['get', `${suite.path}/runs/${run}/executions`]);
const put = (list: unknown) => surfaces.rest(['put', tagsPath, { executions: list }]);
const tagsOf = async () => (await executions()).map(({ tags }: Data) => tags);

describe('the mutable tags of executions', () => {
  test('are replaced as a whole, beside the tags of the upload', async () => {
    const [a, b] = (await executions()).map((each: Data) => each.execution_id);
    const reply = await put([
      { id: b, tags: { 'mut.label': 'flaky' } },
      { id: a.toUpperCase(), tags: { 'mut.classification': 'infrastructure', 'mut.reason': 'api_timeout' } },
    ]);
    expect([reply.status, reply.body]).toEqual([200, { executions_count: 2 }]);
    expect(await tagsOf()).toEqual([
      { os: 'linux', 'mut.classification': 'infrastructure', 'mut.reason': 'api_timeout' },
      { 'mut.label': 'flaky' },
    ]);
    await put([{ id: a, tags: { 'mut.reason': 'other' } }]);
    expect(await tagsOf()).toEqual([{ os: 'linux', 'mut.reason': 'other' }, { 'mut.label': 'flaky' }]);
    await put([a, b].map((id) => ({ id, tags: {} })));
    expect(await tagsOf()).toEqual([{ os: 'linux' }, {}]);
  });

  test.each<[string, (id: string) => unknown, string]>([
    ['no list', () => undefined, 'Executions'],
    ['an empty list', () => [], 'must not be empty'],
    ['no id', () => [{ tags: {} }], 'missing'],
    ['no tags', (id) => [{ id }], 'missing'],
    ['tags of another kind', (id) => [{ id, tags: ['mut.a'] }], 'must be an object of texts'],
    ['a value that is no text', (id) => [{ id, tags: { 'mut.a': 1 } }], 'must be a string'],
    ['a tag that is not mutable', (id) => [{ id, tags: { os: 'linux' } }], 'must begin with mut.'],
    ['a key of other letters', (id) => [{ id, tags: { 'mut.a b': 'x' } }], 'must begin with a letter'],
    ['a key below another', (id) => [{ id, tags: { 'mut.a': 'x', 'mut.a.b': 'y' } }], 'cannot stand beside'],
    [
      'too many tags',
      (id) => [{ id, tags: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`mut.k${n}`, 'x'])) }],
      `has more than ${limits.testMutableTags} tags`,
    ],
    ['an execution twice', (id) => [id, id].map((each) => ({ id: each, tags: {} })), 'was named before'],
    ['an id of none', (id) => [id, 'x'].map((each) => ({ id: each, tags: { 'mut.a': 'b' } })), 'must be an id'],
    [
      'an unknown execution beside a known one',
      (id) => [id, '01900000-0000-7000-8000-000000000000'].map((each) => ({ id: each, tags: { 'mut.a': 'b' } })),
      'Executions.1.id is not an execution of the suite',
    ],
  ])('are not changed by %s', async (_, list, sentence) => {
    const [{ execution_id: id }] = await executions();
    const before = await surfaces.digests(['suite_executions', 'events', 'audit_events']);
    const { status, body } = await put(list(id));
    expect([status, body.message]).toEqual([422, expect.stringContaining(sentence)]);
    expect(await surfaces.digests(['suite_executions', 'events', 'audit_events'])).toEqual(before);
  });

  test('are not set by an upload, nor is the bare word that begins them', async () => {
    for (const key of ['mut.a', 'mut']) {
      const receipt = await upload(surfaces, suite.authorization, 'K', [result('c', { tags: { [key]: 'x' } })]);
      expect([receipt.queued, receipt.errors[0]]).toEqual([0, expect.stringContaining('cannot be set by an upload')]);
    }
  });

  test('cannot be set through another suite', async () => {
    const other = await newSuite(surfaces, 'Other');
    const [{ execution_id: id }] = await executions();
    const reply = await surfaces.rest(['put', `${other.path}/execution-tags`, { executions: [{ id, tags: {} }] }]);
    expect(reply.status).toBe(422);
  });

  test('of thousands of executions take a few statements', async () => {
    const { db } = surfaces.world.services;
    const results = Array.from({ length: 3_500 }, (_, number) => result(`${number}`));
    await upload(surfaces, suite.authorization, 'many', results);
    const rows = await db
      .selectFrom('suite_executions as e')
      .innerJoin('suite_runs as r', 'r.id', 'e.runId')
      .select('e.id')
      .where('r.key', '=', 'many')
      .execute();
    const value = 'x'.repeat(100);
    const tags = Object.fromEntries(Array.from({ length: limits.testMutableTags }, (_, n) => [`mut.k${n}`, value]));
    const list = rows.map(({ id }) => ({ id, tags }));
    const statements = await sentStatements.during(async () => {
      expect((await put(list)).body).toEqual({ executions_count: 3_500 });
    });
    expect(statements.length).toBeLessThan(20);
    const { count } = await db
      .selectFrom('suite_executions')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('tags', '@>', JSON.stringify({ 'mut.k9': value }) as never)
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(3_500);
  });

  test('have a key but once on GraphQL too', async () => {
    const [{ execution_id: id }] = await executions();
    const tag = { key: 'mut.a', value: 'b' };
    const { errors } = await surfaces.graphql([
      'mutation ($input: SuiteExecutionTagsUpdateInput!) { suiteExecutionTagsUpdate(input: $input) { executionsCount } }',
      { input: { id: suite.id, executions: [{ id, tags: [tag, tag] }] } },
    ]);
    expect(errors?.[0].extensions.fields).toEqual([{ field: 'executions.0.tags', code: 'has a key twice' }]);
  });
});
