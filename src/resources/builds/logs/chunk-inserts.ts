import { sql } from 'kysely';
import { BatchQueue } from '../../../database/batch-queue.js';
import { compiled } from '../../../database/compiled.js';
import { storedName } from '../../../database/row-conversion.js';
import type { Db, Row } from '../../../entities/database.js';

/** A row to insert. */
export type NewChunk = Pick<
  Row<'log_chunks'>,
  'jobId' | 'organizationId' | 'sequence' | 'startOffset' | 'size' | 'storedKey' | 'storedSize'
>;

/**
 * Inserts chunks and counts them, of jobs that run and under numbers that are free; returns the chunks that were
 * inserted. The rows of the jobs are locked first: a job does not finish meanwhile, so no piece that holds its chunk
 * can be made. Jobs whose rows another transaction holds are left out, so that no two statements wait for each other.
 */
const insertWhileRunning = compiled<{ chunks: string; jobIds: string[] }, { jobId: string; sequence: number }>(
  'log-insert',
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
const size = 50;

/** Most milliseconds that a chunk whose bytes are stored waits for those of the others. */
const patienceMs = 5;

/**
 * Inserts chunks of running jobs in batches. A batch waits for the chunks whose bytes were on their way to storage when
 * the first of it was stored, {@link patienceMs} at most.
 */
class ChunkInserts {
  private readonly coming = new Set<Promise<unknown>>();
  private readonly batches = new BatchQueue((chunks: readonly NewChunk[]) => this.insertAll(chunks), {
    size,
    ready: () => this.arrived(),
  });

  constructor(private readonly db: Db) {}

  /**
   * Inserts a chunk once its bytes are stored. Whether it was inserted; if not, nothing is known of it. Rejects if the
   * bytes could not be stored.
   */
  async insert(stored: Promise<NewChunk>): Promise<boolean> {
    this.coming.add(stored);
    const chunk = await stored.finally(() => this.coming.delete(stored));
    return this.batches.add(chunk);
  }

  private async arrived(): Promise<void> {
    if (this.coming.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)));
    await Promise.race([Promise.allSettled(this.coming), patience]);
    clearTimeout(timer);
  }

  private async insertAll(chunks: readonly NewChunk[]): Promise<boolean[]> {
    const rows = await insertWhileRunning(this.db, {
      chunks: JSON.stringify(chunks.map(asStored)),
      jobIds: [...new Set(chunks.map(({ jobId }) => jobId))],
    });
    const inserted = new Set(rows.map(keyOf));
    const times = new Map<string, number>();
    for (const chunk of chunks) times.set(keyOf(chunk), (times.get(keyOf(chunk)) ?? 0) + 1);
    // Of two chunks with one number only one was inserted, and which one is not said.
    return chunks.map((chunk) => times.get(keyOf(chunk)) === 1 && inserted.has(keyOf(chunk)));
  }
}

const keyOf = ({ jobId, sequence }: Pick<NewChunk, 'jobId' | 'sequence'>) => `${jobId} ${sequence}`;

const asStored = (chunk: NewChunk) =>
  Object.fromEntries(Object.entries(chunk).map(([key, value]) => [storedName(key), value]));

const insertsOf = new WeakMap<Db, ChunkInserts>();

/** The inserts of a database: all who add chunks to its logs share them. */
export function chunkInserts(db: Db): ChunkInserts {
  const known = insertsOf.get(db) ?? new ChunkInserts(db);
  insertsOf.set(db, known);
  return known;
}
