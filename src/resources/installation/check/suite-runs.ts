import { sql } from 'kysely';
import type { Db } from '../../../entities/database.js';
import { type Check, defineCheck, examineLocked, findingOf, firstId, ofOrganization, pageOf } from './check.js';

const atOnce = 200;

interface RunCounts {
  id: string;
  organizationId: string;
  name: string;
  uploadsCount: number;
  keptCount: number;
  uploads: number;
  executions: number;
}

function countsOf(db: Db, condition: ReturnType<typeof sql>) {
  return sql<RunCounts>`
    select r.id, r.organization_id, o.slug || '/' || s.slug as name, r.uploads_count, r.kept_count,
      (select count(*)::int from suite_uploads u where u.run_id = r.id) as uploads,
      (select count(*)::int from suite_executions e where e.run_id = r.id) as executions
    from suite_runs r join suites s on s.id = r.suite_id join organizations o on o.id = s.organization_id
    where ${condition}`.execute(db);
}

const isWrong = ({ uploadsCount, uploads, keptCount, executions }: RunCounts) =>
  uploadsCount !== uploads || keptCount !== executions;

/** The counters of each run of a test suite against its rows (I12). */
export const suiteRuns: Check = defineCheck<RunCounts>({
  name: 'runs',
  page: async ({ db }, after, organizationId) => {
    const { rows } = await countsOf(db, sql`r.id > ${after ?? firstId} order by r.id limit ${atOnce}`);
    // Pages go by primary key: chosen by organization in SQL, one page could read every run.
    return pageOf(rows, atOnce, ofOrganization(rows, organizationId).filter(isWrong));
  },
  examine: examineLocked(async ({ db }, { id }, repairs) => {
    await db.selectFrom('suite_runs').select('id').where('id', '=', id).forUpdate().execute();
    const wrong = (await countsOf(db, sql`r.id = ${id}`)).rows.filter(isWrong);
    for (const { uploads, executions } of repairs ? wrong : [])
      await db
        .updateTable('suite_runs')
        .set({ uploadsCount: uploads, keptCount: executions })
        .where('id', '=', id)
        .execute();
    return wrong.map(({ name, uploadsCount, keptCount, uploads, executions }) =>
      findingOf(
        {
          promise: 'I12',
          subject: `run ${id} of suite ${name}`,
          is: `uploads_count ${uploadsCount}, kept_count ${keptCount}`,
          expected: `${uploads} uploads, ${executions} executions`,
          remedy: 'counted them',
        },
        repairs,
      ),
    );
  }),
});
