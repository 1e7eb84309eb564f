import { Migration } from '@mikro-orm/migrations';

/** An index of a table that may be large by now. */
export interface OnlineIndex {
  name: string;
  table: string;
  /** SQL after the table's name: `("organization_id", "id") where "state" = 'x'`. */
  definition: string;
  unique?: boolean;
}

/**
 * Builds indexes while their tables are written to. Not in a transaction, as PostgreSQL demands, so such a migration
 * does nothing else. One that was broken off leaves an index that is invalid: it is dropped and built again.
 */
export abstract class OnlineIndexMigration extends Migration {
  abstract readonly indexes: readonly OnlineIndex[];

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const { name, table, definition, unique = false } of this.indexes) {
      const [existing] = await this.execute(
        `select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass(?)`,
        [`"${name}"`],
      );
      if (existing?.['valid'] === true) continue;
      if (existing) this.addSql(`drop index concurrently "${name}"`);
      this.addSql(`create ${unique ? 'unique ' : ''}index concurrently "${name}" on "${table}" ${definition}`);
    }
  }

  override down(): void {
    for (const { name } of this.indexes) this.addSql(`drop index concurrently if exists "${name}"`);
  }
}
