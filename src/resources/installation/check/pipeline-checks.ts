import { sql } from 'kysely';
import type { Db } from '../../../entities/database.js';
import { type Miscount, recountPipelines } from '../../../loaders/pipeline-counts.js';
import { type Check, defineCheck, examineLocked, findingOf, firstId, ofOrganization, pageOf } from './check.js';

const atOnce = 200;

interface PipelineNumbers {
  id: string;
  name: string;
  next: number;
  last: number;
}

function numbersOf(db: Db, condition: ReturnType<typeof sql>) {
  return sql<PipelineNumbers>`
    select p.id, o.slug || '/' || p.slug as name, p.next_build_number as next,
      coalesce((select number from builds b where b.pipeline_id = p.id order by number desc limit 1), 0) as last
    from pipelines p join organizations o on o.id = p.organization_id where ${condition}`.execute(db);
}

const isSpent = ({ next, last }: PipelineNumbers) => next <= last;

/** The next number of each pipeline is above all that were given (I3). */
export const pipelineNumbers: Check = defineCheck<PipelineNumbers>({
  name: 'numbers',
  page: async ({ db }, after, organizationId) => {
    const { rows } = await numbersOf(
      db,
      sql`p.id > ${after ?? firstId}
        and (${organizationId}::uuid is null or p.organization_id = ${organizationId}::uuid)
        order by p.id limit ${atOnce}`,
    );
    return pageOf(rows, atOnce, rows.filter(isSpent));
  },
  examine: examineLocked(async ({ db }, { id }, repairs) => {
    await db.selectFrom('pipelines').select('id').where('id', '=', id).forUpdate().execute();
    const { rows } = await numbersOf(db, sql`p.id = ${id}`);
    const wrong = rows.filter(isSpent);
    for (const { last } of repairs ? wrong : [])
      await db
        .updateTable('pipelines')
        .set({ nextBuildNumber: last + 1 })
        .where('id', '=', id)
        .execute();
    return wrong.map(({ name, next, last }) =>
      findingOf(
        {
          promise: 'I3',
          subject: `pipeline ${name}`,
          is: `next_build_number ${next}, which is given already: every new build fails`,
          expected: `${last + 1}, after the highest number`,
          remedy: 'set it after the highest number',
        },
        repairs,
      ),
    );
  }),
});

/** The numbers of unfinished builds and jobs of all pipelines, in one statement and so of one moment (I12). */
export const pipelineCounts: Check = defineCheck<Miscount>({
  name: 'counts',
  page: async ({ db }, _after, organizationId) => {
    const miscounts = await recountPipelines(db, { correct: false });
    const ids = miscounts.map(({ pipelineId }) => pipelineId);
    const pipelines =
      ids.length === 0
        ? []
        : await db.selectFrom('pipelines').select(['id', 'organizationId']).where('id', 'in', ids).execute();
    const own = new Set(ofOrganization(pipelines, organizationId).map(({ id }) => id));
    const suspects = miscounts.filter(({ pipelineId }) => organizationId === null || own.has(pipelineId));
    return { count: suspects.length, suspects, next: null };
  },
  examine: async ({ db }, { pipelineId }, repairs) => {
    const wrong = (await recountPipelines(db, { correct: repairs, pipelineId })).filter(
      (miscount) => miscount.pipelineId === pipelineId,
    );
    const [row] = await db
      .selectFrom('pipelines as p')
      .innerJoin('organizations as o', 'o.id', 'p.organizationId')
      .select(['o.slug as organization', 'p.slug as pipeline'])
      .where('p.id', '=', pipelineId)
      .execute();
    return wrong.map((miscount) =>
      findingOf(
        {
          promise: 'I12',
          subject: `pipeline ${row ? `${row.organization}/${row.pipeline}` : pipelineId}`,
          is: `counts of unfinished builds and jobs that lack ${lacking(miscount)}`,
          expected: 'the numbers of its rows',
          remedy: 'counted them',
        },
        repairs,
      ),
    );
  },
});

function lacking(miscount: Miscount): string {
  const { pipelineId: _, ...numbers } = miscount;
  return Object.entries(numbers)
    .filter(([, number]) => number !== 0)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ');
}
