import { Migration } from '@mikro-orm/migrations';

/**
 * Addresses that differ in capital letters alone are one address from now on. Accounts that already differ so remain:
 * all but the oldest are marked, so that the index of the next migration can hold for all others.
 */
export class EmailsInAnyCase20261124110000 extends Migration {
  override up(): void {
    this.addSql(`alter table "users" add "shares_email" boolean not null default false`);
  }

  override down(): void {
    this.addSql(`alter table "users" drop column "shares_email"`);
  }
}
