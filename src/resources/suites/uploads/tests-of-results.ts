import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import type { TestResult } from '../../../domain/suites/results/result.js';
import type { SuiteRunRow } from '../../../entities/database.js';

const rowsOfStatement = 500;

/** Identity of a test: scope and name. */
export function testIdentity({ scope, name }: Pick<TestResult, 'scope' | 'name'>): string {
  return createHash('sha256').update(`${scope}\0${name}`).digest('hex');
}

/** Tests of results. */
export interface TestsOfResults {
  /** Their ids by identity. */
  ids: Map<string, string>;
  /** Ids of those that were never seen before. */
  created: ReadonlySet<string>;
}

/**
 * Returns the ids of the results' tests by identity. New tests are created; a test that moved gets its new location.
 */
export async function testsOfResults(
  context: Context,
  run: SuiteRunRow,
  results: readonly TestResult[],
): Promise<TestsOfResults> {
  const byIdentity = new Map(results.map((result) => [testIdentity(result), result]));
  // In one order everywhere, so that uploads at the same time do not wait for each other in a circle.
  const identities = [...byIdentity.keys()].sort();
  const created = new Set<string>();
  if (identities.length === 0) return { ids: new Map(), created };
  const known = await find(context, run.suiteId, identities);
  await follow(context, known, byIdentity);
  const ids = new Map(known.map(({ identity, id }) => [identity, id]));
  const missing = identities.filter((identity) => !ids.has(identity));
  // Ids in the order the tests were sent, which is how they are listed.
  const newIds = new Map(
    [...byIdentity.keys()].filter((identity) => !ids.has(identity)).map((identity) => [identity, context.newId()]),
  );
  for (let start = 0; start < missing.length; start += rowsOfStatement) {
    for (const row of await insert(context, run, missing.slice(start, start + rowsOfStatement), {
      byIdentity,
      newIds,
    })) {
      ids.set(row.identity, row.id);
      created.add(row.id);
    }
  }
  // A concurrent upload created these tests meanwhile.
  const raced = missing.filter((identity) => !ids.has(identity));
  if (raced.length > 0) for (const row of await find(context, run.suiteId, raced)) ids.set(row.identity, row.id);
  return { ids, created };
}

type Known = { id: string; identity: string; location: string | null; fileName: string | null };
type ResultsByIdentity = ReadonlyMap<string, TestResult>;

/** Joined: a list that a statement filters by is compared with each row, item by item, once its plan is kept. */
async function find({ db }: Context, suiteId: string, identities: string[]): Promise<Known[]> {
  const { rows } = await sql<Known>`
    select t.id, t.identity, t.location, t.file_name from unnest(${identities}::text[]) as wanted(identity)
    join suite_tests t on t.suite_id = ${suiteId} and t.identity = wanted.identity`.execute(db);
  return rows;
}

function insert(
  context: Context,
  { organizationId, suiteId }: SuiteRunRow,
  identities: string[],
  { byIdentity, newIds }: { byIdentity: ResultsByIdentity; newIds: ReadonlyMap<string, string> },
) {
  const rows = identities.map((identity) => {
    const { scope = '', name = '', location = null, fileName = null } = byIdentity.get(identity) ?? {};
    return {
      id: newIds.get(identity) ?? context.newId(),
      organizationId,
      suiteId,
      identity,
      scope,
      name,
      location,
      fileName,
      createdAt: context.now,
    };
  });
  return context.db
    .insertInto('suite_tests')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['suiteId', 'identity']).doNothing())
    .returning(['id', 'identity'])
    .execute();
}

async function follow({ db }: Context, known: readonly Known[], byIdentity: ResultsByIdentity): Promise<void> {
  const moved = known.flatMap(({ id, identity, location, fileName }) => {
    const now = byIdentity.get(identity);
    const next = { id, location: now?.location ?? location, file_name: now?.fileName ?? fileName };
    return next.location === location && next.file_name === fileName ? [] : [next];
  });
  if (moved.length === 0) return;
  await db
    .selectFrom('suite_tests')
    .select('id')
    .where(sql<boolean>`id = any(${moved.map(({ id }) => id)}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
  await sql`update suite_tests t set location = v.location, file_name = v.file_name, owners_at = null from
    jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as v(id uuid, location text, file_name text) where t.id =
      v.id`.execute(db);
}
