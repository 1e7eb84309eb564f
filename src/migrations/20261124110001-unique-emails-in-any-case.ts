import { OnlineIndexMigration } from './online-index-migration.js';

/** See the migration before. */
export class UniqueEmailsInAnyCase20261124110001 extends OnlineIndexMigration {
  override readonly indexes = [
    { name: 'users_any_email_index', table: 'users', definition: '(lower("email"))' },
    {
      name: 'users_any_email_unique',
      table: 'users',
      definition: '(lower("email")) where not "shares_email"',
      unique: true,
    },
  ];

  override async up(): Promise<void> {
    // Here, so that it is done again where a server of the release before made one more before the index was built.
    this.addSql(
      `update "users" u set "shares_email" = true
       where not u."shares_email" and exists (select 1 from "users" o where lower(o."email") = lower(u."email") and o."id" < u."id")`,
    );
    await super.up();
  }
}
