import DataLoader from 'dataloader';
import { sql } from 'kysely';
import { compiled } from '../../../database/compiled.js';
import { storedName } from '../../../database/row-conversion.js';
import type { Db, Row } from '../../../entities/database.js';

/** A row to insert. */
export type NewChunk = Pick<
  Row<'log_chunks'>,
  'jobId' | 'organizationId' | 'sequence' | 'startOffset' | 'size' | 'storedKey' | 'storedSize'
>;

/**
 * Inserts a chunk and counts it, if its job runs and its number is free; returns a row if it did. The job's row is
 * locked first: a job does not finish meanwhile, so no piece that holds this chunk can be made.
 */
const insertWhileRunning = compiled<Row<'log_chunks'>, { id: string }>(
  'log-insert',
  (_db, chunk) => sql`
    with running as (
      select id from jobs where id = ${chunk.jobId} and finished_at is null and log_deleted_at is null for no key update
    ), added as (
      insert into log_chunks (job_id, organization_id, sequence, start_offset, size, stored_key, stored_size)
      select id,
        ${chunk.organizationId}, ${chunk.sequence}, ${chunk.startOffset}, ${chunk.size}, ${chunk.storedKey}, ${chunk.storedSize}
      from running
      on conflict (job_id, sequence) do nothing returning job_id, organization_id, size
    ), used as (
      insert into log_usage (job_id, organization_id, entries, bytes) select job_id, organization_id, 1, size from added
      on conflict (job_id) do update set
        entries = log_usage.entries + excluded.entries, bytes = log_usage.bytes + excluded.bytes
      returning job_id, bytes
    )
    update jobs set log_size = used.bytes from used where jobs.id = used.job_id returning jobs.id`,
);

/**
 * The same for the chunks of one moment; the chunks that were inserted. Jobs whose rows another transaction holds are
 * left out, so that no two statements wait for each other.
 */
const insertAllWhileRunning = compiled<{ chunks: string; jobIds: string[] }, { jobId: string; sequence: number }>(
  'log-insert-all',
  (_db, { chunks, jobIds }) => sql`
    with running as materialized (
      select id from jobs where id = any(${jobIds}::uuid[]) and finished_at is null and log_deleted_at is null
      order by id for no key update skip locked
    ), added as (
      insert into log_chunks (job_id, organization_id, sequence, start_offset, size, stored_key, stored_size)
      select g.job_id, g.organization_id, g.sequence, g.start_offset, g.size, g.stored_key, g.stored_size
      from running join jsonb_populate_recordset(null::log_chunks, ${chunks}::jsonb) as g on g.job_id = running.id
      on conflict (job_id, sequence) do nothing returning job_id, organization_id, sequence, size
    ), used as (
      insert into log_usage (job_id, organization_id, entries, bytes)
      select job_id, organization_id, count(*), sum(size) from added group by job_id, organization_id
      on conflict (job_id) do update set
        entries = log_usage.entries + excluded.entries, bytes = log_usage.bytes + excluded.bytes
      returning job_id, bytes
    ), sized as (
      update jobs set log_size = used.bytes from used where jobs.id = used.job_id
    )
    select job_id, sequence from added`,
);

/** Chunks that one statement inserts. */
const insertedAtOnce = 50;

/** Most milliseconds that a chunk whose bytes are stored waits for those of the others. */
const gatherMs = 5;

/**
 * Inserts chunks of running jobs. Chunks whose bytes are on their way to storage at the same moment share a statement:
 * it waits for those that were on their way when the first of them was stored, {@link gatherMs} at most, and for the
 * statement before. A chunk that comes alone waits for nobody.
 */
class ChunkInserts {
  private readonly coming = new Set<Promise<unknown>>();
  private readonly loader: DataLoader<NewChunk, boolean>;
  private inserting: Promise<unknown> = Promise.resolve();

  constructor(private readonly db: Db) {
    this.loader = new DataLoader((chunks) => this.insertAll(chunks), {
      cache: false,
      maxBatchSize: insertedAtOnce,
      batchScheduleFn: (start) => void this.gathered().then(() => setImmediate(start)),
    });
  }

  /**
   * Inserts a chunk once its bytes are stored. Whether it was inserted; if not, nothing is known of it. Rejects if the
   * bytes could not be stored.
   */
  async insert(stored: Promise<NewChunk>): Promise<boolean> {
    this.coming.add(stored);
    const chunk = await stored.finally(() => this.coming.delete(stored));
    return this.loader.load(chunk);
  }

  private async gathered(): Promise<void> {
    await this.inserting;
    if (this.coming.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, gatherMs)));
    await Promise.race([Promise.allSettled(this.coming), patience]);
    clearTimeout(timer);
  }

  private async insertAll(chunks: readonly NewChunk[]): Promise<boolean[]> {
    const alone = chunks.length === 1 ? chunks[0] : undefined;
    const inserted = alone
      ? insertWhileRunning(this.db, alone).then((rows) => rows.length > 0)
      : insertAllWhileRunning(this.db, {
          chunks: JSON.stringify(chunks.map(asStored)),
          jobIds: [...new Set(chunks.map(({ jobId }) => jobId))],
        }).then((rows) => new Set(rows.map(({ jobId, sequence }) => `${jobId} ${sequence}`)));
    this.inserting = inserted.catch(() => undefined);
    const storedRows = await inserted;
    const answered = new Set<string>();
    return chunks.map(({ jobId, sequence }) => {
      if (typeof storedRows === 'boolean') return storedRows;
      const key = `${jobId} ${sequence}`;
      // Of two chunks with one number only one was inserted, and which one is not said.
      const twice = answered.has(key);
      answered.add(key);
      return !twice && chunks.filter((each) => each.jobId === jobId && each.sequence === sequence).length === 1
        ? storedRows.has(key)
        : false;
    });
  }
}

const asStored = (chunk: NewChunk) =>
  Object.fromEntries(Object.entries(chunk).map(([key, value]) => [storedName(key), value]));

const insertsOf = new WeakMap<Db, ChunkInserts>();

/** The inserts of a database: all who add chunks to its logs share them. */
export function chunkInserts(db: Db): ChunkInserts {
  const known = insertsOf.get(db) ?? new ChunkInserts(db);
  insertsOf.set(db, known);
  return known;
}
