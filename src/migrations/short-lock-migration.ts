import { Migration } from '@mikro-orm/migrations';

/**
 * A migration that changes one table which requests use. It needs the table to itself for a moment, and every later
 * statement on the table waits behind it meanwhile: so it waits for a second at most, and is tried again by `migrate`
 * (`database/migrate.ts`). One table each: with the locks of two tables it could wait for a request that waits for it.
 */
export abstract class ShortLockMigration extends Migration {
  /** The change and what undoes it. */
  protected abstract readonly change: { readonly up: string; readonly down: string };

  override up(): void {
    this.addSql(`set local lock_timeout = '1s'`);
    this.addSql(this.change.up);
  }

  override down(): void {
    this.addSql(this.change.down);
  }
}
