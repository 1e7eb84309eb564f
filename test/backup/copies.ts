import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { artifactKey } from '../../src/core/build-folder.js';
import type { OpenDatabase } from '../../src/database/open.js';
import type { Db } from '../../src/entities/database.js';
import { type Backup, backUp } from '../../src/resources/installation/backup/back-up.js';
import { backupFile, writeBackupFile } from '../../src/resources/installation/backup/backup-file.js';
import { restoreBackup } from '../../src/resources/installation/backup/restore.js';
import { DiskStorage } from '../../src/storage/disk-storage.js';
import type { ObjectStorage } from '../../src/storage/storage.js';
import { freshDatabase, temporaryDirectory } from '../support/database.js';
import type { World } from '../support/world.js';

export interface Copy {
  database: OpenDatabase;
  storage: ObjectStorage;
}

/** Files and databases of backups, removed together. */
export class Copies {
  private readonly directory = temporaryDirectory();
  private readonly databases: OpenDatabase[] = [];

  path(name: string): string {
    return join(this.directory.path, name);
  }

  /** An empty database and an empty storage. */
  async empty(name: string): Promise<Copy> {
    const database = await freshDatabase();
    this.databases.push(database);
    return { database, storage: new DiskStorage(this.path(name)) };
  }

  backUp({ database, services }: World, name: string): Promise<Backup> {
    return writeBackupFile(this.path(name), (sink) => backUp({ database, services }, sink, { version: '0.0.0' }));
  }

  /** Restores the backup of a name into a copy, an empty one where none is given. */
  async restore({ services }: World, name: string, into?: Copy, options = { sendsPending: true }): Promise<Copy> {
    const copy = into ?? (await this.empty(`${name} restored`));
    await restoreBackup(
      backupFile(this.path(name)),
      { ...copy, secretKey: services.secretKey },
      { ...options, progress: () => undefined },
    );
    return copy;
  }

  async remove(): Promise<void> {
    for (const database of this.databases) await database.close();
    this.directory.remove();
  }
}

/** A digest of the rows of every table. */
export async function digestsOfRows(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname::text as name from pg_class where relkind = 'r' and relpersistence = 'p' and relnamespace = 'public'::regnamespace
      and relname not in ('slipway_migrations', 'work_claims') order by relname`.execute(db);
  const each = tables.map(
    ({ name }) =>
      sql`select ${sql.lit(name)} as name, coalesce(md5(string_agg(t::text, ',' order by t::text collate "C")), '') as digest from ${sql.table(name)} t`,
  );
  const { rows } = await sql<{ name: string; digest: string }>`${sql.join(each, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** A digest of every stored object of builds. */
export async function digestsOfObjects(storage: ObjectStorage): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for await (const { key } of storage.list('organizations/')) {
    const hash = createHash('sha256');
    for await (const part of (await storage.get(key)) ?? []) hash.update(part as Buffer);
    digests[key] = hash.digest('hex');
  }
  return digests;
}

/** Stores bytes for every finished artifact, as its row describes them. */
export async function storeArtifacts({ services: { db, storage } }: World, bytes = 3_000_000): Promise<void> {
  for (const artifact of await db.selectFrom('artifacts').selectAll().where('state', '=', 'finished').execute()) {
    const content = Buffer.alloc(bytes, `bytes of ${artifact.path} `);
    await storage.put(artifactKey(artifact), content);
    await db
      .updateTable('artifacts')
      .set({
        fileSize: content.length,
        sha256sum: createHash('sha256').update(content).digest('hex'),
        uploadDestination: null,
      })
      .where('id', '=', artifact.id)
      .execute();
  }
}
