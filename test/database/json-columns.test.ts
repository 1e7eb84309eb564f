import { sql } from 'kysely';
import type { JsonObject } from '../../src/domain/pipelines/steps/step.js';
import { World } from '../support/world.js';

describe('json columns', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  const row = (payload: unknown) => ({
    id: world.system().newId(),
    topic: 'test.json',
    // The driver sees lists and texts too where an entity's type allows them.
    payload: payload as JsonObject,
    availableAt: new Date('2999-01-01T00:00:00Z'),
    createdAt: world.clock.now(),
  });
  const stored = async (id: string) => {
    const { rows } = await sql<{
      payload: string;
    }>`select payload::text as payload from outbox_messages where id = ${id}`.execute(world.services.db);
    return JSON.parse(rows[0]!.payload) as unknown;
  };
  const values = [{ a: [1, { b: null }] }, ['x', { y: 1 }], [], 'a "text"', '{}', 7, false];

  test.each(values)('an inserted json value is stored unchanged: %j', async (value) => {
    const { db } = world.services;
    const inserted = row(value);
    await db.insertInto('outbox_messages').values(inserted).execute();
    expect(await stored(inserted.id)).toEqual(value);
  });

  test('rows inserted by one statement store their json values unchanged, beside expressions and defaults', async () => {
    const { db } = world.services;
    const rows = values.map((value, index) => ({
      ...row(value),
      createdAt: sql<Date>`now()`,
      ...(index === 0 ? { attempts: 3 } : {}),
    }));
    await db.insertInto('outbox_messages').values(rows).execute();
    expect(await Promise.all(rows.map(({ id }) => stored(id)))).toEqual(values);
  });

  test('an update and an upsert store json values unchanged', async () => {
    const { db } = world.services;
    const first = row({ first: true });
    await db.insertInto('outbox_messages').values(first).execute();
    const { id } = first;
    await db
      .updateTable('outbox_messages as m')
      .set({ payload: row(['updated']).payload })
      .where('m.id', '=', id)
      .execute();
    expect(await stored(id)).toEqual(['updated']);
    await db
      .insertInto('outbox_messages')
      .values({ ...row({}), id })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ payload: row(['conflict']).payload }))
      .execute();
    expect(await stored(id)).toEqual(['conflict']);
  });

  test('null is stored as SQL null, not as the JSON text', async () => {
    const { db } = world.services;
    const id = world.system().newId();
    const event = {
      id,
      organizationId: world.organization.id,
      subject: 'pipeline' as const,
      subjectId: id,
      type: 'test.null',
      actorType: 'system' as const,
      data: null,
      sequence: 0,
      createdAt: world.clock.now(),
    };
    await db.insertInto('events').values(event).execute();
    const found = await db.selectFrom('events').select('id').where('id', '=', id).where('data', 'is', null).execute();
    expect(found).toEqual([{ id }]);
  });
});
