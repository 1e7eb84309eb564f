import { type RawBuilder, sql } from 'kysely';
import { idIn } from '../database/id-in.js';
import { setVersion } from '../database/row-version.js';
import { buildStates } from '../domain/builds/build-state.js';
import { jobStates } from '../domain/builds/job-state.js';
import {
  countedJobTypes,
  countOfBuild,
  countOfJob,
  pipelineCountNames,
  type PipelineCounts,
} from '../domain/pipelines/pipeline-counts.js';
import type { BuildRow, Db, JobRow } from '../entities/database.js';
import { sqlList } from '../entities/sql-list.js';

/** Columns of `pipeline_counts`, in the order of {@link pipelineCountNames}. */
const columns = ['scheduled_builds', 'running_builds', 'scheduled_jobs', 'running_jobs', 'waiting_jobs'] as const;
const list = sql.raw(columns.join(', '));
const each = (text: (column: string, index: number) => string, between = ', ') =>
  sql.raw(columns.map(text).join(between));

/**
 * An expression for the counts of unfinished builds and jobs of pipelines, as one text: a line for each pipeline with
 * any, its id followed by the five numbers. They are sums of the few rows that the changes of a pipeline have left
 * (docs/decisions/0019).
 */
export function pipelineCountLines(pipelineIds: readonly string[]): RawBuilder<string | null> {
  return sql`(select string_agg(l.line, E'\\n') from (select c.pipeline_id::text || concat_ws(' ',
    ${each((column) => `sum(c.${column})`)}) as line from pipeline_counts c where
      ${idIn('c.pipeline_id', pipelineIds)} group by c.pipeline_id having
        ${each((column) => `sum(c.${column}) <> 0`, ' or ')}) as l)`;
}

/** The numbers of one pipeline as its line has them; empty where it has none. */
export function pipelineCountsText(pipelineId: string): RawBuilder<string> {
  return sql<string>`(select concat_ws(' ', ${each((column) => `sum(c.${column})`)}) from pipeline_counts c where
    c.pipeline_id = ${pipelineId})`;
}

/** The counts of a pipeline once a new build with these jobs is added to what it had before. */
export function countsWithBuild(
  before: string,
  build: Pick<BuildRow, 'state'>,
  added: readonly Pick<JobRow, 'type' | 'state'>[],
): PipelineCounts {
  const counts = readPipelineCounts(before);
  const places = [
    countOfBuild(build.state),
    ...added.map(({ type, state }) => (countedJobTypes.includes(type) ? countOfJob(state) : null)),
  ];
  for (const place of places) if (place !== null) counts[place] += 1;
  const numbers = pipelineCountNames.map((name) => counts[name]);
  setVersion(counts, numbers.some((number) => number !== 0) ? numbers.join(' ') : '');
  return counts;
}

/** Reads the counts of a pipeline out of its line, without the pipeline's id. */
export function readPipelineCounts(line: string): PipelineCounts {
  const numbers = line.split(' ');
  const counts = Object.fromEntries(
    pipelineCountNames.map((name, index) => [name, Number(numbers[index] ?? 0)]),
  ) as unknown as PipelineCounts;
  setVersion(counts, line);
  return counts;
}

/** Rows that one statement folds. */
export const foldedAtOnce = 2_000;

/**
 * Replaces the rows that changes have left in `pipeline_counts` with one for each pipeline. Sums stay the same at every
 * moment, also while others fold or count; nobody waits for it. Returns the number of rows replaced, at most {@link
 * foldedAtOnce}.
 *
 * The table is emptied and filled again every few seconds, so what the planner knows of it is wrong by any factor. For
 * one row it would nest loops, and run the choice of rows again for each row of the table: 300 rows took seconds, 2,000
 * longer than a statement may, and were more by the next try. Arrays are chosen once, whatever the planner expects.
 */
export async function foldPipelineCounts(db: Db): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with gone as (
      delete from pipeline_counts where ctid = any(array(
        select c.ctid from pipeline_counts c
        where c.pipeline_id = any(array(
          select pipeline_id from pipeline_counts group by pipeline_id having count(*) > 1))
        limit ${foldedAtOnce} for update skip locked
      )) returning *
    ), sums as (
      insert into pipeline_counts (pipeline_id, ${list})
      select pipeline_id, ${each((column) => `sum(${column})`)} from gone group by pipeline_id
      having ${each((column) => `sum(${column}) <> 0`, ' or ')}
    )
    select count(*)::int as folded from gone`.execute(db);
  return rows[0]?.folded ?? 0;
}

/** A pipeline whose counts are not what its rows say, with the numbers that were missing (negative: too many). */
export interface Miscount extends Record<(typeof columns)[number], number> {
  pipelineId: string;
}

const countsOf = (source: string, states: readonly (readonly [string, keyof PipelineCounts | null])[]) =>
  pipelineCountNames.map((name) => {
    const counted = states.filter(([, count]) => count === name).map(([state]) => state);
    return counted.length === 0 ? '0' : `count(*) filter (where ${source}.state in ${sqlList(counted)})`;
  });

const counted = <S extends string>(states: readonly S[], countOf: (state: S) => keyof PipelineCounts | null) => {
  const each = states.map((state) => [state, countOf(state)] as const);
  return { each, words: each.filter(([, count]) => count !== null).map(([state]) => state) };
};

const builds = counted(buildStates, countOfBuild);
const jobs = counted(jobStates, countOfJob);

/**
 * Counts the unfinished builds and jobs of all pipelines from their rows and compares: one statement, and so one moment
 * for both. With `correct` what was missing is added. With `pipelineId` only those of one pipeline.
 */
export async function recountPipelines(
  db: Db,
  { correct, pipelineId }: { correct: boolean; pipelineId?: string },
): Promise<Miscount[]> {
  const only = pipelineId === undefined ? sql`true` : sql`pipeline_id = ${pipelineId}`;
  const wrong = sql`
    select pipeline_id, ${each((column) => `sum(${column})::int as ${column}`)} from (
      select b.pipeline_id,
        ${each((column, index) => `${countsOf('b', builds.each)[index]} as ${column}`)} from builds b
        where b.state in ${sql.raw(sqlList(builds.words))} and ${only} group by b.pipeline_id
      union all
      select j.pipeline_id, ${each((_, index) => countsOf('j', jobs.each)[index] ?? '0')} from jobs j
        where j.type in
          ${sql.raw(sqlList(countedJobTypes))} and j.state in ${sql.raw(sqlList(jobs.words))}
          and ${only} group by j.pipeline_id
      union all
      select pipeline_id, ${each((column) => `-sum(${column})`)} from pipeline_counts where ${only} group by pipeline_id
    ) as counted group by pipeline_id having ${each((column) => `sum(${column}) <> 0`, ' or ')}`;
  const statement = correct
    ? sql<Miscount>`insert into pipeline_counts (pipeline_id, ${list}) ${wrong} returning pipeline_id, ${list}`
    : sql<Miscount>`${wrong}`;
  return (await statement.execute(db)).rows;
}
