import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readRows } from '../../../database/copy/read-rows.js';
import { copiedTables, sequenceValues } from '../../../database/copy/tables.js';
import { executedMigrations } from '../../../database/migrate.js';
import { inSnapshot } from '../../../database/copy/whole-database.js';
import type { OpenDatabase } from '../../../database/open.js';
import type { Db } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';
import { installationId } from '../storage/installation-id.js';
import { ArchiveWriter } from './archive-writer.js';
import { type CopiedObjects, copyObjects } from './copy-objects.js';
import { type BackupHeader, type BackupManifest, entryNames, formatVersion } from './format.js';
import { NamedObjects } from './named-objects.js';

const compress = promisify(gzip);

/** How far a backup is. */
export type BackupProgress =
  { phase: 'rows'; table: string; rows: number } | { phase: 'objects'; count: number; bytes: number };

/** What a backup holds. */
export interface Backup extends Omit<CopiedObjects, 'indexes'> {
  header: BackupHeader;
  manifest: BackupManifest;
  rows: number;
}

/**
 * Writes the whole installation into a stream: first the rows of all tables, of one moment, then the bytes that these
 * rows name. Servers go on meanwhile. The stream has ended when this resolves.
 */
export async function backUp(
  { database, services }: { database: OpenDatabase; services: Services },
  sink: Writable,
  { version, progress = () => undefined }: { version: string; progress?: (progress: BackupProgress) => void },
): Promise<Backup> {
  const id = randomUUID();
  const installation = await installationId(services);
  const writer = new ArchiveWriter(sink, services.clock.now());
  let objects: NamedObjects | undefined;
  try {
    const copied = await inSnapshot(database, async (trx) => {
      const header: BackupHeader = {
        format: formatVersion,
        id,
        made_at: services.clock.now().toISOString(),
        version,
        installation,
        database: database.kind,
        migrations: await executedMigrations({ db: trx }),
        secret_keys: (await trx.selectFrom('secret_keys').select('id').orderBy('id').execute()).map(
          ({ id: key }) => key,
        ),
        tables: (await copiedTables(trx)).map(({ name, columns }) => ({ name, columns: [...columns] })),
      };
      await writer.add(entryNames.header, Buffer.from(`${JSON.stringify(header, null, 2)}\n`));
      const tables: BackupManifest['tables'] = [];
      for (const { name } of header.tables) tables.push(await copyTable(trx, writer, name, progress));
      objects = await NamedObjects.list(trx);
      return { header, tables, objects, sequences: await sequenceValues(trx) };
    });
    const { header, tables, sequences } = copied;
    const { indexes, ...result } = await copyObjects(services, copied.objects.read(), writer, ({ count, bytes }) =>
      progress({ phase: 'objects', count, bytes }),
    );
    const manifest: BackupManifest = {
      format: formatVersion,
      backup: id,
      tables,
      sequences: sequences.map(({ name, lastValue, isCalled }) => ({
        name,
        last_value: lastValue,
        is_called: isCalled,
      })),
      objects: { count: result.count, bytes: result.bytes, missing: result.missing },
      indexes,
    };
    await writer.add(entryNames.manifest, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    await writer.finish();
    return { header, manifest, ...result, rows: tables.reduce((sum, table) => sum + table.rows, 0) };
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    await objects?.remove();
  }
}

async function copyTable(
  trx: Db,
  writer: ArchiveWriter,
  name: string,
  progress: (progress: BackupProgress) => void,
): Promise<BackupManifest['tables'][number]> {
  const table: BackupManifest['tables'][number] = { name, rows: 0, pieces: [] };
  for await (const { json, rows } of readRows(trx, name)) {
    table.pieces.push(
      await writer.add(entryNames.rows(name, table.pieces.length + 1), await compress(json, { level: 1 })),
    );
    table.rows += rows;
    progress({ phase: 'rows', table: name, rows: table.rows });
  }
  return table;
}
