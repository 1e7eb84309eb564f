import { sql } from 'kysely';
import { inTransaction } from '../../database/transaction.js';
import { deleteSome, type DoomedRows } from './delete-some.js';
import type { Purge } from './purge.js';

const runsAtOnce = 100;
const rowsOfRun = 20;

/** What is below a run, children first. */
export const ofRuns = (runIds: readonly string[]): DoomedRows[] => {
  const ids = sql`any(${[...runIds]}::uuid[])`;
  return [
    { table: 'suite_executions', where: sql`run_id = ${ids}` },
    { table: 'suite_uploads', where: sql`run_id = ${ids}` },
    { table: 'events', where: sql`subject = 'run' and subject_id = ${ids}` },
  ];
};

/** Purges runs of a deleted suite with what is below them, then its tests. */
export const suitePurge: Purge = {
  count: async ({ db }, { resourceId }) => {
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from suite_runs where suite_id = ${resourceId}`.execute(db);
    return rows[0]?.count ?? 0;
  },

  prepare: async () => 0,

  batch: async ({ db }, { resourceId }, most) => {
    const runs = await db
      .selectFrom('suite_runs')
      .select('id')
      .where('suiteId', '=', resourceId)
      .orderBy('id')
      .limit(Math.min(runsAtOnce, Math.ceil(most / rowsOfRun)))
      .execute();
    const ids = runs.map(({ id }) => id);
    if (ids.length === 0) {
      const last: DoomedRows[] = [
        { table: 'suite_tests', where: sql`suite_id = ${resourceId}` },
        { table: 'test_ownerships', where: sql`suite_id = ${resourceId}` },
        { table: 'test_plans', where: sql`suite_id = ${resourceId}` },
        { table: 'test_workflow_states', where: sql`suite_id = ${resourceId}` },
        { table: 'test_workflow_events', where: sql`suite_id = ${resourceId}` },
        { table: 'test_workflows', where: sql`suite_id = ${resourceId}` },
        { table: 'storage_sizes', where: sql`owner_id = ${resourceId}` },
      ];
      const rows = await deleteSome(db, last, most);
      return { rows, items: 0, ended: rows < most };
    }
    return inTransaction(db, 'deletion', async (trx) => {
      await trx.selectFrom('suite_runs').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
      const rows = await deleteSome(trx, ofRuns(ids), most);
      if (rows === most) return { rows, items: 0, ended: false };
      const { numDeletedRows } = await trx.deleteFrom('suite_runs').where('id', 'in', ids).executeTakeFirstOrThrow();
      return { rows: rows + Number(numDeletedRows), items: ids.length, ended: false };
    });
  },
};
