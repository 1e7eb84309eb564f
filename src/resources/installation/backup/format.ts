import { z } from 'zod';

/**
 * A backup is a tar archive, read from its begin to its end:
 *
 * - `slipway-backup.json`: the {@link BackupHeader}
 * - `tables/TABLE/NUMBER.json.gz`: rows of a table, as JSON arrays
 * - `objects/KEY`: bytes of logs and artifacts, as the storage has them
 * - `index/NUMBER.json`: sizes and digests of the objects before it
 * - `manifest.json`: the {@link BackupManifest}, by which a backup is known to be whole
 */
export const entryNames = {
  header: 'slipway-backup.json',
  rows: (table: string, piece: number) => `tables/${table}/${String(piece).padStart(6, '0')}.json.gz`,
  object: (key: string) => `objects/${key}`,
  index: (piece: number) => `index/${String(piece).padStart(6, '0')}.json`,
  manifest: 'manifest.json',
} as const;

const rowsEntry = /^tables\/([a-z0-9_]+)\/\d+\.json\.gz$/;

/** The table whose rows an entry holds; null for other entries. */
export const tableOfEntry = (name: string): string | null => rowsEntry.exec(name)?.[1] ?? null;

/** The storage key of the object in an entry; null for other entries. */
export const keyOfEntry = (name: string): string | null =>
  name.startsWith('objects/') ? name.slice('objects/'.length) : null;

/** Raised when a program of before could not read what is written. */
export const formatVersion = 1;

const tableSchema = z.object({ name: z.string(), columns: z.array(z.string()).min(1) });

export const headerSchema = z.object({
  format: z.number().int(),
  /** Of this backup. */
  id: z.uuid(),
  made_at: z.string(),
  /** Release of the program that made it. */
  version: z.string(),
  installation: z.uuid(),
  database: z.enum(['postgresql', 'pglite']),
  /** Names of the migrations of the schema, in order. */
  migrations: z.array(z.string()).min(1),
  /** Ids of the secret keys that values are sealed with; a key cannot be computed from its id. */
  secret_keys: z.array(z.string()),
  tables: z.array(tableSchema).min(1),
});

/** What is known before the first row is read. */
export type BackupHeader = z.output<typeof headerSchema>;

const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const objectSchema = z.object({
  key: z.string(),
  size: z.number().int(),
  /** SHA-256. Null where the bytes were deleted since the rows were read: the backup does not have them. */
  sha256: digest.nullable(),
});

/** An object in an index of the archive. */
export type BackupObject = z.output<typeof objectSchema>;

export const indexSchema = z.array(objectSchema);

export const manifestSchema = z.object({
  format: z.number().int(),
  backup: z.uuid(),
  tables: z.array(
    z.object({
      name: z.string(),
      rows: z.number().int(),
      pieces: z.array(z.object({ bytes: z.number().int(), sha256: digest })),
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), last_value: z.string(), is_called: z.boolean() })),
  objects: z.object({ count: z.number().int(), bytes: z.number().int(), missing: z.number().int() }),
  indexes: z.array(z.object({ bytes: z.number().int(), sha256: digest })),
});

/** What the archive holds, with the digest of each piece; the last entry of a whole one. */
export type BackupManifest = z.output<typeof manifestSchema>;

/** A backup cannot be made, read or restored; the message is for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
