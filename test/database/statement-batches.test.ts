import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { StatementBatches } from '../../src/database/statement-batches.js';
import { StatementGauge } from '../support/statement-gauge.js';
import { World } from '../support/world.js';

describe('statements that are sent at the same moment', () => {
  let world: World;
  let ids: string[];
  beforeAll(async () => {
    world = await World.create();
    const pipelines = [];
    for (const slug of ['c', 'a', 'b']) pipelines.push(await world.pipeline('steps: []', { slug }));
    ids = pipelines.map(({ id }) => id);
  });
  afterAll(() => world.close());

  /** The results of calls that are made in one moment, and the statements that they took. */
  async function together<T>(calls: (db: World['services']['db']) => Promise<T>[]) {
    let results: PromiseSettledResult<T>[] = [];
    const { sent } = await StatementGauge.during(world.services, async () => {
      const { db } = new StatementBatches(world.services.db, (dispatch) => void nextTurn().then(dispatch));
      results = await Promise.allSettled(calls(db));
    });
    return { sent, results: results.map((each) => (each.status === 'fulfilled' ? each.value : 'failed')) };
  }

  test('are one where they differ in ids, and each caller has its own rows in their order', async () => {
    const { sent, results } = await together((db) =>
      ids.map(async (id) => {
        const query = db.selectFrom('pipelines').select(['slug', 'createdAt']).where('id', '<=', id);
        const rows = await query.where('slug', '<>', "it's $1").orderBy('slug', 'desc').limit(2).execute();
        return rows.map(({ slug, createdAt }) => (createdAt instanceof Date ? slug : null));
      }),
    );
    expect(results).toEqual([['c'], ['c', 'a'], ['c', 'b']]);
    expect(sent).toBe(1);
  });

  test('are one where they are the same, and as many as they are where anything but ids differs', async () => {
    const named = (names: string[]) => (db: World['services']['db']) =>
      names.map(async (slug) => {
        const row = await db.selectFrom('pipelines').select('id').where('slug', '=', slug).executeTakeFirst();
        return ids.indexOf(row?.id ?? '');
      });
    expect(await together(named(['a', 'a', 'a']))).toEqual({ sent: 1, results: [1, 1, 1] });
    expect(await together(named(['a', 'b', 'nobody']))).toEqual({ sent: 3, results: [1, 2, -1] });
  });

  test('fail together, and others do not fail with them', async () => {
    const broken = (id: string) => (db: World['services']['db']) =>
      sql<{ n: number }>`select 1 / (${id}::uuid <> ${id}::uuid)::int as n`.execute(db).then(({ rows }) => rows[0]?.n);
    const { results } = await together((db) => [
      ...ids.map((id) => broken(id)(db)),
      sql<{ n: number }>`select 2 as n`.execute(db).then(({ rows }) => rows[0]?.n),
    ]);
    expect(results).toEqual(['failed', 'failed', 'failed', 2]);
  });

  test('return no more rows than may be converted in one go', async () => {
    const { sent, results } = await together((db) =>
      ids.map(async (id) => {
        const rows = await db.selectFrom('pipelines').select('slug').where('id', '=', id).limit(501).execute();
        return rows.map(({ slug }) => slug).join();
      }),
    );
    expect({ sent, results }).toEqual({ sent: 3, results: ['c', 'a', 'b'] });
  });
});
