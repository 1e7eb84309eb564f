import { sql } from 'kysely';
import { agentHeldStates } from '../../../domain/builds/job-state.js';
import type { TableName } from '../../../entities/database.js';
import { sqlList } from '../../../entities/sql-list.js';
import { type Check, defineCheck, type Finding } from './check.js';

/** Columns whose values no two rows may share, which a unique index of the database sees to. */
interface Uniqueness {
  promise: string;
  table: TableName;
  columns: readonly string[];
  /** Rows that it is about; all where absent. */
  where?: string;
  means: string;
}

const mostExamples = 100;

const uniquenesses: readonly Uniqueness[] = [
  { promise: 'I3', table: 'builds', columns: ['pipeline_id', 'number'], means: 'a build number' },
  {
    promise: 'I15',
    table: 'annotations',
    columns: ['build_id', 'context'],
    where: 'job_id is null',
    means: 'a context of a build',
  },
  {
    promise: 'I15',
    table: 'annotations',
    columns: ['job_id', 'context'],
    where: 'job_id is not null',
    means: 'a context of a job',
  },
  {
    promise: 'I11',
    table: 'webhook_deliveries',
    columns: ['pipeline_id', 'delivery_id', 'event'],
    means: 'a webhook delivery',
  },
  { promise: 'I11', table: 'step_uploads', columns: ['job_id', 'uuid'], means: 'a pipeline upload' },
  { promise: 'I11', table: 'suite_uploads', columns: ['run_id', 'fingerprint'], means: 'an upload of test results' },
  {
    promise: 'I1',
    table: 'jobs',
    columns: ['agent_id'],
    where: `state in ${sqlList(agentHeldStates)}`,
    means: 'the job that an agent holds',
  },
  {
    promise: 'I13',
    table: 'events',
    columns: ['position'],
    where: 'position is not null',
    means: 'a position of the event stream',
  },
];

/**
 * What happens once is there once. A valid unique index says so of all rows; where it is missing, or was built over
 * rows that break it, the rows are counted.
 */
export const doubledRows: Check = defineCheck<number>({
  name: 'doubles',
  ofInstallation: true,
  page: async ({ db }) => {
    const suspects: number[] = [];
    for (const [index, { table, columns, where }] of uniquenesses.entries()) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_index i
        where i.indrelid = ${table}::regclass and i.indisunique and i.indisvalid
          and i.indpred is ${sql.raw(where === undefined ? 'null' : 'not null')}
          and ${[...columns]}::text[] = (
            select array_agg(a.attname::text order by k.place)
            from unnest(i.indkey::int2[]) with ordinality as k(number, place)
            join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
          )`.execute(db);
      if (rows[0]?.count === 0) suspects.push(index);
    }
    return { count: uniquenesses.length, suspects, next: null };
  },
  examine: async ({ db }, index): Promise<Finding[]> => {
    const uniqueness = uniquenesses[index];
    if (!uniqueness) return [];
    const { promise, table, columns, where = 'true', means } = uniqueness;
    const list = sql.raw(columns.map((name) => `"${name}"`).join(', '));
    const { rows } = await sql<{ place: string; count: number }>`
      select array_to_string(array[${sql.raw(columns.map((name) => `"${name}"::text`).join(', '))}], ' ') as place,
        count(*)::int as count from ${sql.table(table)} where ${sql.raw(where)}
      group by ${list} having count(*) > 1 order by 1 limit ${mostExamples}`.execute(db);
    const subject = `${table} by ${columns.join(', ')}`;
    return [
      ...rows.map(({ place, count }) => ({
        promise,
        subject: `${subject}: ${place}`,
        is: `${means} is there ${count} times`,
        expected: 'once',
        mended: false,
        action: 'decide which row counts and delete the others',
      })),
      {
        promise,
        subject,
        is: 'without a valid unique index',
        expected: `a unique index on ${columns.join(', ')}${where === 'true' ? '' : ` where ${where}`}`,
        mended: false,
        action:
          'create it once no two rows share the values; the statement is in the migrations (slipway migrate --plan)',
      },
    ];
  },
});
