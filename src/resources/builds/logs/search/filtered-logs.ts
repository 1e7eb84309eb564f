import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { RequiredTrigrams } from '../../../../domain/builds/logs/search/required-trigrams.js';
import type { Database, Db } from '../../../../entities/database.js';
import type { LogPart } from './log-parts.js';

/** Bytes of logs whose filters one statement looks at: those of a mebibyte each. */
const mostBytes = 1024 * 1024 * 1024;

/** A log that is next in a search. */
export interface NextLog {
  jobId: string;
  /** Its parts that may match, in order; null if all of it may, because it has no filters or they say nothing. */
  parts: LogPart[] | null;
}

/**
 * Looks at the filters of the logs of jobs, in the order of the query and as many as it gives, or fewer where they are
 * large. The database reads each filter once, which the empty text appended to it is for, whatever is asked of it.
 */
export async function filterLogs(
  db: Db,
  jobs: SelectQueryBuilder<Database & { j: Database['jobs'] }, 'j', { id: string; logSize: number }>,
  trigrams: RequiredTrigrams,
): Promise<NextLog[]> {
  const { rows } = await sql<{ jobId: string; isFiltered: boolean | null; parts: [number, number, number][] }>`
    with next as materialized (${jobs}),
    taken as (select id from (
      select id, row_number() over (order by id desc) as place, sum(log_size) over (order by id desc) as bytes from next
    ) as summed where place = 1 or bytes <= ${mostBytes})
    select n.id as job_id, f.is_filtered, f.parts from taken n
    left join log_usage u on u.job_id = n.id
    left join lateral (
      select bool_or(s.log_entries = u.entries and s.log_bytes = u.bytes) as is_filtered,
        coalesce(json_agg(json_build_array(s.start_offset, s.first_line, s.size) order by s.start_offset)
          filter (where ${hasAll(trigrams)}), '[]') as parts
      from (
        select start_offset, first_line, size, log_entries, log_bytes, trigrams || ''::bytea as trigrams
        from log_filters where job_id = n.id offset 0
      ) as s
    ) as f on true
    order by n.id desc`.execute(db);
  return rows.map(({ jobId, isFiltered, parts }) => ({
    jobId,
    parts: isFiltered ? parts.map(([offset, line, size]) => ({ offset, line, size })) : null,
  }));
}

/** Whether the filter `s` has what is required. */
function hasAll(required: RequiredTrigrams): RawBuilder<boolean> {
  if ('bits' in required) return joined(required.bits.map(hasBit), sql` and `);
  return 'all' in required ? joined(required.all.map(hasAll), sql` and `) : joined(required.any.map(hasAll), sql` or `);
}

const joined = (conditions: RawBuilder<boolean>[], by: RawBuilder<unknown>) =>
  sql<boolean>`(${sql.join(conditions, by)})`;

/** A filter has a number of bits that is a power of two. */
const hasBit = (bit: number) =>
  sql<boolean>`get_bit(s.trigrams, ${sql.lit(bit)} & (octet_length(s.trigrams) * 8 - 1)) = 1`;
