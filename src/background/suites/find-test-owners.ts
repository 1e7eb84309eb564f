import { sql } from 'kysely';
import { inTransaction } from '../../database/transaction.js';
import type { Services } from '../../services/services.js';
import { ownersOfFiles } from '../../resources/suites/owners/owners-of-files.js';
import { eachAlone } from '../each-alone.js';

const suitesAtOnce = 10;
const testsAtOnce = 500;

/**
 * Finds the owners of tests that are new, that have moved to another file, or whose suite has another TESTOWNERS file
 * since: some of each suite. Returns for how many suites.
 */
export async function findTestOwners(services: Services): Promise<number> {
  const due = await services.db
    .selectFrom('test_ownerships as o')
    .select('o.suiteId as id')
    .where(
      sql<boolean>`exists (select from suite_tests t where t.suite_id = o.suite_id and t.owners_at is null)
      or exists (select from suite_tests t where t.suite_id = o.suite_id and t.owners_at < o.stored_at)
      or exists (select from suite_tests t where t.suite_id = o.suite_id and t.owners_at > o.stored_at)`,
    )
    .limit(suitesAtOnce)
    .execute();
  return eachAlone(services, 'test-owners', due, findSome);
}

async function findSome(services: Services, { id: suiteId }: { id: string }): Promise<boolean> {
  const { db } = services;
  const ownership = await db
    .selectFrom('test_ownerships')
    .select(['content', 'storedAt'])
    .where('suiteId', '=', suiteId)
    .executeTakeFirst();
  if (!ownership) return false;
  const { content, storedAt } = ownership;
  const tests = await db
    .selectFrom('suite_tests')
    .select(['id', 'fileName'])
    .where('suiteId', '=', suiteId)
    .where(({ eb, or }) =>
      or([eb('ownersAt', 'is', null), eb('ownersAt', '<', storedAt), eb('ownersAt', '>', storedAt)]),
    )
    .limit(testsAtOnce)
    .execute();
  const files = [...new Set(tests.flatMap(({ fileName }) => fileName ?? []))];
  const byFile = new Map(files.map((file, index) => [file, index]));
  const owners = await ownersOfFiles(services, suiteId, { content, files });
  const rows = tests.map(({ id, fileName }) => ({
    id,
    file_name: fileName,
    owners: (fileName === null ? undefined : owners[byFile.get(fileName) ?? -1]) ?? [],
  }));
  await inTransaction(db, 'test-owners', async (trx) => {
    const ids = tests.map(({ id }) => id);
    await trx
      .selectFrom('suite_tests')
      .select('id')
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .orderBy('id')
      .forUpdate()
      .execute();
    // One that has moved meanwhile is looked at again.
    await sql`update suite_tests t
      set owners = array(select jsonb_array_elements_text(v.owners)), owners_at = ${storedAt}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(id uuid, file_name text, owners jsonb)
      where t.id = v.id and t.file_name is not distinct from v.file_name`.execute(trx);
  });
  return true;
}
