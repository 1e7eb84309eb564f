import { ShortLockMigration } from './short-lock-migration.js';

/** Stores filters of logs uncompressed: they hardly become smaller, and are read more often than written. */
export class StorageOfLogFilters20261129090010 extends ShortLockMigration {
  protected readonly change = {
    up: `alter table "log_filters" alter column "trigrams" set storage external`,
    down: `alter table "log_filters" alter column "trigrams" set storage extended`,
  };
}
