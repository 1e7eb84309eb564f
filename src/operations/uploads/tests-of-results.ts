import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../../context.js';
import { jsonb } from '../../database/row-conversion.js';
import type { TestResult } from '../../domain/test-results/result.js';
import type { SuiteRunRow } from '../../entities/database.js';

const rowsOfStatement = 500;

/** What makes two executions those of one test: scope and name (rest-facts 3.8). */
export function testIdentity({ scope, name }: Pick<TestResult, 'scope' | 'name'>): string {
  return createHash('sha256').update(`${scope}\0${name}`).digest('hex');
}

/** The ids of the tests of these results by their identity. New ones are made; where a test has moved, its place is brought up to date. */
export async function testsOfResults(context: Context, run: SuiteRunRow, results: readonly TestResult[]): Promise<Map<string, string>> {
  const wanted = new Map(results.map((result) => [testIdentity(result), result]));
  // In one order everywhere, so that uploads at the same time do not wait for each other in a circle.
  const identities = [...wanted.keys()].sort();
  if (identities.length === 0) return new Map();
  const known = await find(context, run.suiteId, identities);
  await follow(context, known, wanted);
  const ids = new Map(known.map(({ identity, id }) => [identity, id]));
  const missing = identities.filter((identity) => !ids.has(identity));
  // Ids in the order the tests were sent, which is how they are listed.
  const newIds = new Map([...wanted.keys()].filter((identity) => !ids.has(identity)).map((identity) => [identity, context.newId()]));
  for (let start = 0; start < missing.length; start += rowsOfStatement) {
    for (const row of await insert(context, run, missing.slice(start, start + rowsOfStatement), { wanted, newIds })) ids.set(row.identity, row.id);
  }
  // Somebody else made these in between.
  const raced = missing.filter((identity) => !ids.has(identity));
  if (raced.length > 0) for (const row of await find(context, run.suiteId, raced)) ids.set(row.identity, row.id);
  return ids;
}

type Known = { id: string; identity: string; location: string | null; fileName: string | null };
type Wanted = ReadonlyMap<string, TestResult>;

function find({ db }: Context, suiteId: string, identities: string[]): Promise<Known[]> {
  return db.selectFrom('suite_tests').select(['id', 'identity', 'location', 'fileName']).where('suiteId', '=', suiteId).where(sql<boolean>`identity = any(${identities}::text[])`).execute();
}

function insert(context: Context, { organizationId, suiteId }: SuiteRunRow, identities: string[], { wanted, newIds }: { wanted: Wanted; newIds: ReadonlyMap<string, string> }) {
  const rows = identities.map((identity) => {
    const { scope = '', name = '', location = null, fileName = null } = wanted.get(identity) ?? {};
    return { id: newIds.get(identity) ?? context.newId(), organizationId, suiteId, identity, scope, name, location, fileName, createdAt: context.now };
  });
  return context.db.insertInto('suite_tests').values(rows).onConflict((conflict) => conflict.columns(['suiteId', 'identity']).doNothing()).returning(['id', 'identity']).execute();
}

async function follow({ db }: Context, known: readonly Known[], wanted: Wanted): Promise<void> {
  const moved = known.flatMap(({ id, identity, location, fileName }) => {
    const now = wanted.get(identity);
    const next = { id, location: now?.location ?? location, file_name: now?.fileName ?? fileName };
    return next.location === location && next.file_name === fileName ? [] : [next];
  });
  if (moved.length === 0) return;
  await db.selectFrom('suite_tests').select('id').where(sql<boolean>`id = any(${moved.map(({ id }) => id)}::uuid[])`).orderBy('id').forUpdate().execute();
  await sql`update suite_tests t set location = v.location, file_name = v.file_name from jsonb_to_recordset(${jsonb(moved)}) as v(id uuid, location text, file_name text) where t.id = v.id`.execute(db);
}
