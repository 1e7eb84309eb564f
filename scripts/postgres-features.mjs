/**
 * Prints which features of PostgreSQL the code and the migrations use, with the number of files: `node scripts/postgres-features.mjs`.
 * docs/distributed-postgresql.md says of each whether other databases have it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** Features by the name that the document has for them, and what shows a use. */
export const features = {
  'row versions by `xmin` and `ctid`': /\bxmin\b/,
  'rows by `ctid`': /\bctid\b/,
  'triggers for statements with transition tables': /referencing (new|old) table/i,
  'row triggers and `plpgsql`': /for each row|language plpgsql/i,
  '`LISTEN` and `NOTIFY`': /\bpg_notify\(|`listen \$/i,
  'advisory locks of a transaction': /advisory_xact_lock/i,
  'advisory locks of a session': /pg_(try_)?advisory_(un)?lock\(/i,
  '`FOR UPDATE`, `FOR NO KEY UPDATE`': /for (no key )?update|forUpdate\(|forNoKeyUpdate\(/i,
  '`SKIP LOCKED`': /skip locked|skipLocked\(/i,
  '`pg_current_xact_id()`, `pg_xact_status()`': /pg_current_xact_id|pg_xact_status/i,
  'writes in `WITH`, several of one table in one statement': /as (materialized )?\(\s*(delete|update|insert)/i,
  '`ON CONFLICT`': /on conflict|onConflict\(/i,
  '`LATERAL`': /\blateral\b/i,
  '`unnest` of several arrays, array parameters': /\bunnest\(|= any\(\$\{/i,
  '`jsonb` operators and functions': /jsonb_\w+\(|::jsonb/i,
  'partial and expression indexes': /create (unique )?index .*(where|\(\s*lower\()/i,
  '`LOCK TABLE`': /`lock table/i,
  '`CREATE INDEX CONCURRENTLY`': /index concurrently/i,
  'sequences whose numbers are ordered by the draw': /bigserial|nextval\(/i,
  '`REPEATABLE READ` snapshots': /repeatable read/i,
  '`lock_timeout`, `statement_timeout`': /lock_timeout|statement_timeout/i,
  'sizes of tables and of the database': /pg_(total_relation|relation|database)_size/i,
  '`pg_stat_…` views': /pg_stat_\w+/i,
};

/** The numbers of files of `src` that use each feature. */
export function countFeatures() {
  const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('console'))
    .map((name) => readFileSync(join(source, name), 'utf8'));
  return Object.entries(features).map(([name, pattern]) => ({
    name,
    files: texts.filter((text) => pattern.test(text)).length,
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { name, files } of countFeatures()) console.log(`${String(files).padStart(4)}  ${name}`);
