import { sql } from 'kysely';
import type { Db } from '../entities/database.js';

/**
 * The newest migration of the last release. Its replicas go on beside those of this one, and may start again, because
 * migrations since take nothing away from them (docs/decisions/0023). Moved on by each release.
 */
export const lastReleased = '20261124150001-indexes-of-sign-in';

/** Records which programs may go on with the schema that was migrated now, if it is one that has room for that. */
export async function noteCompatibility(db: Db): Promise<void> {
  if (!(await hasTable(db))) return;
  await sql`insert into schema_compatibility (name, oldest_migration) values ('this', ${lastReleased})
    on conflict (name) do update set oldest_migration = excluded.oldest_migration`.execute(db);
}

/**
 * Whether a program whose newest migration is `newest` works with a schema that a newer program has migrated: that one
 * said so.
 */
export async function isCompatible(db: Db, newest: string): Promise<boolean> {
  if (!(await hasTable(db))) return false;
  const { rows } = await sql<{ oldestMigration: string }>`
    select oldest_migration from schema_compatibility where name = 'this'`.execute(db);
  return rows[0] !== undefined && rows[0].oldestMigration <= newest;
}

async function hasTable(db: Db): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('schema_compatibility') is not null as exists`.execute(db);
  return rows[0]?.exists ?? false;
}
