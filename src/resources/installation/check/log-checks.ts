import { sql } from 'kysely';
import type { Db } from '../../../entities/database.js';
import { storeLogSize } from '../../../engine/state/jobs.js';
import { secondLook } from './second-look.js';
import { type Check, defineCheck, examineLocked, findingOf, firstId, pageOf } from './check.js';

const atOnce = 500;

interface LogSums {
  id: string;
  name: string;
  logSize: number;
  entries: number | null;
  bytes: number | null;
  storedEntries: number;
  storedBytes: number;
}

/** Jobs with a log, and what three places say of its size: one statement, since one transaction changes all. */
function sumsOf(db: Db, condition: ReturnType<typeof sql>) {
  return sql<LogSums>`
    select j.id, o.slug || '/' || p.slug || ' #' || b.number as name, j.log_size as log_size, u.entries, u.bytes,
      c.entries as stored_entries, c.bytes as stored_bytes
    from jobs j join builds b on b.id = j.build_id join pipelines p on p.id = b.pipeline_id
    join organizations o on o.id = p.organization_id left join log_usage u on u.job_id = j.id
    cross join lateral (
      select count(*)::int as entries, coalesce(sum(size), 0)::float8 as bytes from log_chunks where job_id = j.id
    ) as c
    where ${condition}`.execute(db);
}

const isWrong = (sums: LogSums) =>
  (sums.entries ?? 0) !== sums.storedEntries ||
  Number(sums.bytes ?? 0) !== sums.storedBytes ||
  Number(sums.logSize) !== sums.storedBytes;

/** The size of each log is that of its chunks (I7, I12). */
export const logSizes: Check = defineCheck<LogSums>({
  name: 'logs',
  page: async ({ db }, after, organizationId) => {
    const { rows } = await sumsOf(
      db,
      sql`j.id > ${after ?? firstId} and j.type = 'command'
        and (${organizationId}::uuid is null or j.organization_id = ${organizationId}::uuid)
        order by j.id limit ${atOnce}`,
    );
    const suspects = await secondLook(
      rows.filter(isWrong),
      ({ id }) => id,
      async (ids) => (await sumsOf(db, sql`j.id = any(${sql.val([...ids])}::uuid[])`)).rows,
      ({ storedEntries }) => String(storedEntries),
    );
    return pageOf(rows, atOnce, suspects);
  },
  examine: examineLocked(async ({ db }, { id }, repairs) => {
    // Whoever adds a chunk locks its job.
    await sql`select id from jobs where id = ${id} for no key update`.execute(db);
    const { rows } = await sumsOf(db, sql`j.id = ${id}`);
    const wrong = rows.filter(isWrong);
    for (const sums of repairs ? wrong : []) await correct(db, sums);
    return wrong.map((sums) =>
      findingOf(
        {
          promise: 'I7',
          subject: `log of job ${id} of build ${sums.name}`,
          is: `${sums.logSize} bytes by its job, ${sums.bytes ?? 0} in ${sums.entries ?? 0} chunks by its usage`,
          expected: `${sums.storedBytes} bytes in ${sums.storedEntries} chunks`,
          remedy: 'counted its chunks',
        },
        repairs,
      ),
    );
  }),
});

async function correct(db: Db, { id, storedEntries: entries, storedBytes: bytes }: LogSums): Promise<void> {
  await sql`insert into log_usage (job_id, organization_id, entries, bytes)
    select id, organization_id, ${entries}::int, ${bytes}::int8 from jobs where id = ${id}
    on conflict (job_id) do update set entries = excluded.entries, bytes = excluded.bytes`.execute(db);
  await storeLogSize(db, id, bytes);
}
