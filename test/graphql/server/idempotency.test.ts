import type { PipelineRow } from '../../../src/entities/database.js';
import { Door } from '../support.js';

const build = `mutation ($id: ID!, $message: String) { buildCreate(input: { pipelineID: $id, message: $message, env: ["startedAt=2026-01-01T00:00:00.000Z"] }) {
  build { uuid number message createdAt startedAt env pipeline { slug } jobs(first: 5) { nodes { ... on JobTypeCommand { uuid } } } } } }`;

describe('Idempotency-Key on /graphql', () => {
  let door: Door;
  let pipeline: PipelineRow;
  beforeAll(async () => void (door = await Door.open()));
  beforeEach(async () => void (pipeline = await door.world.pipeline('steps: [{ command: make }]')));
  afterAll(() => door.close());

  const send = async (key: string, query: string, variables: object = {}, person = door.world.admin) =>
    (await door.post(person).set('Idempotency-Key', key).send({ query, variables })).body;
  const count = async () =>
    (await door.world.services.db.selectFrom('builds').select('id').where('pipelineId', '=', pipeline.id).execute())
      .length;

  test('repeating a request with its Idempotency-Key has one effect and the same reply, dates included', async () => {
    const first = await send('one', build, { id: pipeline.id, message: 'hello' });
    expect(first.errors).toBeUndefined();
    door.world.clock.advance(60);
    expect(await send('one', build, { id: pipeline.id, message: 'hello' })).toEqual(first);
    expect(await count()).toBe(1);
    expect((await send('other', build, { id: pipeline.id, message: 'hello' })).data.buildCreate.build.number).toBe(2);
    expect(
      (await send('one', build, { id: pipeline.id, message: 'hello' }, door.world.member)).data.buildCreate.build
        .number,
    ).toBe(3);
  });

  test.each([
    ['other variables', build, 'else'],
    ['another document', build.replace('uuid number', 'number'), 'hello'],
  ])('a request with %s under the same Idempotency-Key is a conflict', async (name, query, message) => {
    await send(name, build, { id: pipeline.id, message: 'hello' });
    const { errors } = await send(name, query, { id: pipeline.id, message });
    expect(errors).toMatchObject([
      { message: 'This Idempotency-Key was used with a different request', extensions: { code: 'CONFLICT' } },
    ]);
    expect(await count()).toBe(1);
  });

  test('a refusal is not stored, so the request may be repeated once it can succeed', async () => {
    const { db } = door.world.services;
    await db
      .updateTable('pipelines')
      .set({ archivedAt: door.world.clock.now() })
      .where('id', '=', pipeline.id)
      .execute();
    expect((await send('later', build, { id: pipeline.id })).errors).toHaveLength(1);
    expect(await db.selectFrom('idempotency_keys').select('key').where('key', '=', 'later').execute()).toEqual([]);
    await db.updateTable('pipelines').set({ archivedAt: null }).where('id', '=', pipeline.id).execute();
    expect((await send('later', build, { id: pipeline.id })).data.buildCreate.build.number).toBe(1);
  });

  test('each mutation of a repeated document runs once, and one that failed runs again', async () => {
    const both = `mutation ($id: ID!, $other: ID!) {
      a: buildCreate(input: { pipelineID: $id, message: "a" }) { build { uuid message } }
      b: buildCreate(input: { pipelineID: $other, message: "b" }) { build { uuid message } }
      c: buildCreate(input: { pipelineID: $id, message: "c" }) { build { uuid message } }
    }`;
    const other = await door.world.pipeline('steps: [{ command: make }]', { archivedAt: door.world.clock.now() });
    const first = await send('several', both, { id: pipeline.id, other: other.id });
    expect(first).toMatchObject({
      errors: [{ path: ['b'] }],
      data: { a: { build: { message: 'a' } }, b: null, c: { build: { message: 'c' } } },
    });
    await door.world.services.db
      .updateTable('pipelines')
      .set({ archivedAt: null })
      .where('id', '=', other.id)
      .execute();
    const second = await send('several', both, { id: pipeline.id, other: other.id });
    expect(second.errors).toBeUndefined();
    expect(second.data).toEqual({ ...first.data, b: { build: { uuid: expect.any(String), message: 'b' } } });
    expect(await count()).toBe(2);
  });

  test('a repeated deletion returns the deleted resource again', async () => {
    const remove =
      'mutation ($id: ID!) { pipelineDelete(input: { id: $id }) { deletedPipelineID organization { slug } } }';
    const first = await send('delete', remove, { id: pipeline.id });
    expect(first.data.pipelineDelete.organization).toEqual({ slug: 'acme' });
    expect(await send('delete', remove, { id: pipeline.id })).toEqual(first);
  });

  test('an Idempotency-Key has at most 255 characters and is ignored by queries', async () => {
    const long = await door.post().set('Idempotency-Key', 'k'.repeat(256)).send({ query: '{ viewer { id } }' });
    expect([long.status, long.body.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
    expect((await send('k'.repeat(255), '{ viewer { id } }')).errors).toBeUndefined();
    expect((await send('k'.repeat(255), '{ organization(slug: "acme") { name } }')).errors).toBeUndefined();
  });
});

describe('pipelineUpdate with `archived`', () => {
  let door: Door;
  let pipeline: PipelineRow;
  beforeAll(async () => void (door = await Door.open()));
  beforeEach(async () => void (pipeline = await door.world.pipeline('steps: [{ command: make }]')));
  afterAll(() => door.close());

  const update = (input: object) =>
    door.ask(
      'mutation ($input: PipelineUpdateInput!) { pipelineUpdate(input: $input) { pipeline { archived description } } }',
      { input: { id: pipeline.id, ...input } },
    );
  const row = () =>
    door.world.services.db.selectFrom('pipelines').selectAll().where('id', '=', pipeline.id).executeTakeFirstOrThrow();
  const trail = async () =>
    (
      await door.world.services.db
        .selectFrom('events')
        .select('type')
        .where('subjectId', '=', pipeline.id)
        .orderBy('id')
        .execute()
    ).map((event) => event.type);

  test('pipelineUpdate archives after the other changes and unarchives before them', async () => {
    expect((await update({ description: 'kept', archived: true })).data.pipelineUpdate.pipeline).toEqual({
      archived: true,
      description: 'kept',
    });
    expect((await row()).archivedById).toBe(door.world.admin.id);
    expect((await update({ description: 'no' })).errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
    expect((await update({ description: 'back', archived: false })).data.pipelineUpdate.pipeline).toEqual({
      archived: false,
      description: 'back',
    });
    expect(await trail()).toEqual(['pipeline.update', 'pipeline.archive', 'pipeline.unarchive', 'pipeline.update']);
  });

  test('pipelineUpdate changes nothing when either half is refused', async () => {
    await update({ archived: true });
    const before = await row();
    expect((await update({ archived: false, color: 'nope' })).errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect((await update({ archived: false, nextBuildNumber: 0 })).errors).toHaveLength(1);
    expect(await row()).toEqual(before);
    expect(await trail()).toEqual(['pipeline.update', 'pipeline.archive']);
  });
});
