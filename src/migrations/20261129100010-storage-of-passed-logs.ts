import { ShortLockMigration } from './short-lock-migration.js';

/** Stores hashes uncompressed: they do not become smaller. */
export class StorageOfPassedLogs20261129100010 extends ShortLockMigration {
  protected readonly change = {
    up: `alter table "passed_logs" alter column "hashes" set storage external`,
    down: `alter table "passed_logs" alter column "hashes" set storage extended`,
  };
}
