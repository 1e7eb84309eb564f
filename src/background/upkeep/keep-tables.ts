import { sql } from 'kysely';
import { isEmbedded } from '../../database/open.js';
import type { Services } from '../../services/services.js';

/**
 * Rows, and shares of a table, that change before it is worth the while: those that PostgreSQL's own autovacuum waits
 * for.
 */
const changed = 50;
const analyzeShare = 0.1;
const vacuumShare = 0.2;
/** Dead rows after which a table is vacuumed whatever its size, so that one vacuum has few pages to visit. */
const mostDead = 10_000;
/** Bytes with indexes up to which a vacuum cleans the indexes too, for which it reads them whole. */
const smallBytes = 64 * 1024 * 1024;
/** Transactions after which the rows of a table are frozen; PostgreSQL refuses to go on after two thousand million. */
const oldTransactions = 200_000_000;
/** Tables in one round. */
const tablesAtOnce = 10;

const statements = {
  freeze: 'vacuum (freeze)',
  vacuum: 'vacuum (truncate off)',
  'vacuum the table alone': 'vacuum (truncate off, index_cleanup off)',
  analyze: 'analyze',
};

/**
 * Vacuums and analyzes the tables of an embedded database that have changed much: it has no process that would. Without
 * it tables grow by every change, and plans are made for tables as they once were. Each table is a statement of its
 * own, so that requests have their turn in between. Gives the number of statements.
 */
export async function keepTables({ db }: Pick<Services, 'db'>): Promise<number> {
  if (!isEmbedded(db)) return 0;
  const { rows } = await sql<{ name: string; work: keyof typeof statements }>`
    select name, work from (
      select c.oid::regclass::text as name, s.n_mod_since_analyze as changes,
        case
          when age(c.relfrozenxid) > ${oldTransactions}::int then 'freeze'
          when s.n_dead_tup > least(${changed}::int + ${vacuumShare}::float8 * greatest(c.reltuples, 0),
            ${mostDead}::int)
            then case when pg_total_relation_size(c.oid) >
              ${smallBytes}::int then 'vacuum the table alone' else 'vacuum' end
          when s.n_mod_since_analyze > ${changed}::int + ${analyzeShare}::float8 * greatest(c.reltuples, 0) then
            'analyze'
        end as work
      from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
      where c.relkind in ('r', 'm') and c.relpersistence = 'p'
    ) tables where work is not null order by changes desc nulls last, name limit ${tablesAtOnce}::int`.execute(db);
  // VACUUM cannot be in a transaction.
  for (const { name, work } of rows) await sql.raw(`${statements[work]} ${name}`).execute(db);
  return rows.length;
}
