import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { acceptedKeys, keyId, type SecretKeys } from '../../../auth/secret-keys.js';
import { copiedTables, tablesInUse } from '../../../database/copy/tables.js';
import { inBulkTransaction } from '../../../database/copy/whole-database.js';
import { completeTables, countRows, emptyTables, writeRows } from '../../../database/copy/write-rows.js';
import { executedMigrations, migrate } from '../../../database/migrate.js';
import type { OpenDatabase } from '../../../database/open.js';
import type { Db } from '../../../entities/database.js';
import { createMark, readMark } from '../../../storage/mark.js';
import type { ObjectStorage } from '../../../storage/storage.js';
import { readArchive, readContent } from './archive-reader.js';
import { BackupError, type BackupHeader, keyOfEntry, tableOfEntry } from './format.js';
import { type HeldEffects, holdEffects } from './hold-effects.js';
import { type OpenBackup, pieceBytes, verifyBackup } from './verify.js';

/** Objects up to this size are stored at once, and not as streams. */
const smallBytes = 1024 * 1024;
const inflate = promisify(gunzip);

/** Where a backup is restored to. */
export interface RestoreTarget {
  /** Without a row but those of a first start; not migrated yet. */
  database: OpenDatabase;
  storage: ObjectStorage;
  secretKey: SecretKeys;
}

export interface RestoreOptions {
  /** Has notifications and commit statuses that waited at the time of the backup sent, perhaps a second time. */
  sendsPending: boolean;
  progress: (progress: RestoreProgress) => void;
}

/** How far a restore is. */
export type RestoreProgress =
  { phase: 'verify'; bytes: number } | { phase: 'objects'; count: number } | { phase: 'rows'; table: string };

/** What was restored. */
export interface Restored {
  header: BackupHeader;
  rows: number;
  objects: number;
  /** Objects that the backup lacks, because they were deleted while it was made. */
  missing: number;
  pending: HeldEffects;
  /** Migrations since the release of the backup, which were run over its rows. */
  migrated: string[];
}

/**
 * Restores a backup into an empty database and an empty storage: bytes first, then all rows in one transaction. A
 * restore that was interrupted may be started again, and goes on. Throws {@link BackupError} if the backup is damaged,
 * of a newer release, or sealed with another key, and if there is anything where it should go, before it changes
 * anything.
 */
export async function restoreBackup(
  open: OpenBackup,
  { database, storage, secretKey }: RestoreTarget,
  { sendsPending, progress }: RestoreOptions,
): Promise<Restored> {
  const { header, manifest } = await verifyBackup(open, (bytes) => progress({ phase: 'verify', bytes }));
  requireKeys(header, secretKey);
  requireMigrations(header, database);
  await migrate(database, { upTo: header.migrations });
  await requireSchema(database, header);
  await requireEmptyDatabase(database.db);
  await takeStorage(storage, header);
  await restoreObjects(open, storage, (count) => progress({ phase: 'objects', count }));
  const pending = await inBulkTransaction(database, async (trx) => {
    const tables = await copiedTables(trx);
    const missing = header.tables.filter(({ name }) => !tables.some((table) => table.name === name));
    if (missing.length > 0)
      throw new BackupError(`the database has no table ${missing.map(({ name }) => name).join(', ')}`);
    await emptyTables(trx, tables);
    await restoreRows(open, header, trx, (table) => progress({ phase: 'rows', table }));
    for (const { name, rows } of manifest.tables) {
      const count = await countRows(trx, name);
      if (count !== rows) throw new BackupError(`${count} rows of ${name} were restored, and the backup has ${rows}`);
    }
    await completeTables(
      trx,
      tables,
      manifest.sequences.map(({ name, last_value, is_called }) => ({
        name,
        lastValue: last_value,
        isCalled: is_called,
      })),
    );
    return sendsPending ? { notifications: 0, commitStatuses: 0 } : holdEffects(trx);
  });
  const migrated = await migrate(database);
  return {
    header,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    objects: manifest.objects.count,
    missing: manifest.objects.missing,
    pending,
    migrated,
  };
}

function requireKeys({ secret_keys: needed }: BackupHeader, keys: SecretKeys): void {
  const own = acceptedKeys(keys).map(keyId);
  if (needed.every((id) => own.includes(id))) return;
  throw new BackupError(
    [
      'SECRET_KEY: not the key of this backup, which has encrypted values and not the key.',
      '  Set SECRET_KEY to the key of the installation that was backed up (where none was set: the content of the ' +
        'file secret-key in its DATA_DIR).',
      ...(needed.length > 1 ? ['  It was being exchanged: set SECRET_KEY_PREVIOUS to the other one.'] : []),
    ].join('\n'),
  );
}

function requireMigrations({ migrations, version }: BackupHeader, { migrations: known }: OpenDatabase): void {
  const unknown = migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new BackupError(
      `the backup was made by release ${version}, whose schema this program does not know ` +
        `(${unknown.slice(0, 3).join(', ')}): restore it with that release or a newer one`,
    );
}

/** Rows are restored into the schema that they come from, and migrated from there as those of the installation were. */
async function requireSchema({ db }: OpenDatabase, { migrations, version }: BackupHeader): Promise<void> {
  const later = (await executedMigrations({ db })).filter((name) => !migrations.includes(name));
  if (later.length > 0)
    throw new BackupError(
      `the database has a newer schema (${later[0]}) than the backup, which release ${version} made: ` +
        'restore it into a database that no server has started with',
    );
}

async function requireEmptyDatabase(db: Db): Promise<void> {
  const used = await tablesInUse(db);
  if (used.length === 0) return;
  const some = used.slice(0, 3).join(', ');
  throw new BackupError(
    `the database is not empty: it has rows in ${some}` +
      `${used.length > 3 ? ` and ${used.length - 3} more tables` : ''}. ` +
      'A backup is restored into a new one: set DATABASE_URL to an empty database, or DATA_DIR to an empty directory',
  );
}

/** Marks an empty storage as that of the installation that is restored; one with such a mark was begun before. */
async function takeStorage(storage: ObjectStorage, { installation }: BackupHeader): Promise<void> {
  const mark = await readMark(storage);
  if (mark !== null && mark !== 'unreadable' && mark.installationId === installation) return;
  if (mark !== null)
    throw new BackupError(
      `the storage is that of another installation${mark === 'unreadable' ? '' : ` (${mark.installationId})`}: ` +
        'set STORAGE_URL to an empty one',
    );
  for await (const { key } of storage.list('organizations/'))
    throw new BackupError(`the storage is not empty: it has ${key}. Set STORAGE_URL to an empty one`);
  await createMark(storage, { installationId: installation, stamp: 0, ownedSince: null });
}

async function restoreObjects(
  open: OpenBackup,
  storage: ObjectStorage,
  progress: (count: number) => void,
): Promise<void> {
  let count = 0;
  for await (const entry of readArchive(await open())) {
    const key = keyOfEntry(entry.name);
    if (key === null) continue;
    // Objects are stored whole or not at all: one that is there was restored before an interruption.
    if ((await storage.stat(key))?.size !== entry.size)
      await storage.put(
        key,
        entry.size <= smallBytes
          ? (await readContent(entry, smallBytes)).bytes
          : Readable.from(entry.content, { objectMode: false }),
      );
    progress((count += 1));
  }
}

async function restoreRows(
  open: OpenBackup,
  header: BackupHeader,
  trx: Db,
  progress: (table: string) => void,
): Promise<void> {
  for await (const entry of readArchive(await open())) {
    // All rows come before the first object.
    if (keyOfEntry(entry.name) !== null) return;
    const table = header.tables.find(({ name }) => name === tableOfEntry(entry.name));
    if (!table) continue;
    const { bytes } = await readContent(entry, pieceBytes);
    await writeRows(trx, table, (await inflate(bytes)).toString('utf8'));
    progress(table.name);
  }
}
