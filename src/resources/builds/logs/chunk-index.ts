import { type RawBuilder, sql } from 'kysely';
import { compiled } from '../../../database/compiled.js';
import { inTransaction, isRetryable } from '../../../database/transaction.js';
import { chunkMaxBytes, pieceBytes } from '../../../domain/limits/log-limits.js';
import type { Db, Row } from '../../../entities/database.js';
import {
  type ChunkCursor,
  type ChunkEntry,
  type ChunkIndex,
  type ChunkPosition,
  type FoundEntry,
  isPieceOf,
} from '../../../storage/logs/chunk-index.js';
import { storeLogSize } from '../../../engine/state/jobs.js';
import { chunkInserts } from './chunk-inserts.js';

type ChunkRow = Pick<Row<'log_chunks'>, 'sequence' | 'startOffset' | 'size' | 'storedKey' | 'storedSize'>;

const columns = ['sequence', 'startOffset', 'size', 'storedKey', 'storedSize'] as const;
const entry = (row: ChunkRow): ChunkEntry => ({
  sequence: row.sequence,
  offset: row.startOffset,
  size: row.size,
  key: row.storedKey,
  storedSize: row.storedSize,
});

/** Columns of {@link positionColumns}. */
export interface FoundPosition {
  chunk: { [Column in keyof ChunkRow]: ChunkRow[Column] | null };
  entries: number | null;
  bytes: number | null;
}

/** The place of a chunk in the log of the job `job.id`: its columns, and the joins that they come from. */
export const positionColumns = sql.raw(
  `c.sequence as "chunk.sequence", c.start_offset as "chunk.start_offset", c.size as "chunk.size",
    c.stored_key as "chunk.stored_key", c.stored_size as "chunk.stored_size", u.entries, u.bytes`,
);
export const positionJoins = (sequence: RawBuilder<unknown>) => sql`
  left join log_chunks c on c.job_id = job.id and c.sequence = ${sequence}
  left join log_usage u on u.job_id = job.id`;

export function placeOf({ chunk, entries, bytes }: FoundPosition): ChunkPosition {
  return {
    known: chunk.storedKey === null ? null : entry(chunk as ChunkRow),
    entries: entries ?? 0,
    bytes: bytes ?? 0,
  };
}

const placeOfChunk = compiled<{ jobId: string; sequence: number }, FoundPosition>(
  'log-place',
  (_db, { jobId, sequence }) =>
    sql`select ${positionColumns} from (select ${jobId}::uuid as id) as job ${positionJoins(sql`${sequence}::int`)}`,
);

/**
 * Entries of the logs of `j (id, finished)`, as `LogLayout` places them: `reached` is the raw end of the entries
 * before, `added` the bytes that an entry adds, `broken` whether a gap precedes it. For `lateral`.
 */
export const placedEntriesSql = sql.raw(
  `select *, greatest(0, ending - greatest(start_offset, reached)) as added,
    bool_or(start_offset > reached) over (order by start_offset, sequence) as broken
  from (select start_offset, sequence, start_offset + size as ending,
      coalesce(max(start_offset + size) over (order by start_offset, sequence rows between unbounded preceding ` +
    `and 1 preceding), 0) as reached
    from log_chunks where job_id = j.id) as entries`,
);

interface LogOfJob {
  jobId: string;
  finished: boolean;
}

const measured = compiled<LogOfJob, { bytes: number | null }>(
  'log-measure',
  (_db, { jobId, finished }) => sql`
    select log.bytes from (select ${jobId}::uuid as id, ${finished}::boolean as finished) as j
    left join lateral (
      select sum(added) filter (where j.finished or not broken)::bigint as bytes from (${placedEntriesSql}) as placed
    ) as log on true`,
);

const sought = compiled<
  LogOfJob & { position: number },
  { startOffset: number; sequence: number; reached: number | string; readable: number | string }
>(
  'log-seek',
  (_db, { jobId, finished, position }) => sql`
    select log.* from (select ${jobId}::uuid as id, ${finished}::boolean as finished) as j
    cross join lateral (
      select start_offset, sequence, reached, (through - added)::bigint as readable from (
        select *, sum(added) over (order by start_offset, sequence) as through from (${placedEntriesSql}) as placed
      ) as summed
      where added > 0 and (j.finished or not broken) and through > ${position}::bigint
      order by start_offset, sequence limit 1
    ) as log`,
);

/** Index of the log engine in the database; each call is a short transaction of its own, so it uses the pool. */
export class SqlChunkIndex implements ChunkIndex {
  constructor(
    private readonly db: Db,
    private readonly organizationId: string,
  ) {}

  async list(jobId: string, after: ChunkCursor | null, limit: number): Promise<ChunkEntry[]> {
    let query = this.db.selectFrom('log_chunks').select(columns).where('jobId', '=', jobId);
    if (after)
      query = query.where(sql<boolean>`(start_offset, sequence) > (${after.offset}::bigint, ${after.sequence}::int)`);
    return (await query.orderBy('startOffset').orderBy('sequence').limit(limit).execute()).map(entry);
  }

  async measure(jobId: string, finished: boolean): Promise<number> {
    const [row] = await measured(this.db, { jobId, finished });
    return Number(row?.bytes ?? 0);
  }

  async seek(jobId: string, finished: boolean, position: number): Promise<FoundEntry | null> {
    const [row] = await sought(this.db, { jobId, finished, position });
    if (!row) return null;
    // Numbers are whole and an entry's own: the place before them is the cursor that begins with the entry.
    const before = { offset: row.startOffset, sequence: row.sequence - 1 };
    return { before, rawEnd: Number(row.reached), readableEnd: Number(row.readable) };
  }

  async covering(jobId: string, offset: number): Promise<ChunkEntry[]> {
    return this.coveringOn(this.db, jobId, offset);
  }

  async place(jobId: string, sequence: number): Promise<ChunkPosition> {
    const [row] = await placeOfChunk(this.db, { jobId, sequence });
    if (!row) throw new Error('a statement that always has a row had none');
    return placeOf(row);
  }

  /**
   * A running job's chunk takes one statement. Where that settles nothing, because the job is finished, the number is
   * taken or the answer was lost, the transaction below decides: it finds what the statement did.
   */
  async insertIfAbsent(jobId: string, stored: Promise<ChunkEntry>): Promise<ChunkEntry> {
    const inserted = await chunkInserts(this.db)
      .insert(stored.then((added) => this.row(jobId, added)))
      .catch((error: unknown) => {
        if (isRetryable(error)) return false;
        throw error;
      });
    const added = await stored;
    return inserted ? added : this.insertOrFind(jobId, added);
  }

  private async insertOrFind(jobId: string, added: ChunkEntry): Promise<ChunkEntry> {
    return inTransaction(this.db, 'log.insert', async (trx) => {
      const inserted = await trx
        .insertInto('log_chunks')
        .values(this.row(jobId, added))
        .onConflict((conflict) => conflict.columns(['jobId', 'sequence']).doNothing())
        .returning('sequence')
        .executeTakeFirst();
      if (inserted) {
        const running = await this.count(trx, jobId, 1, added.size);
        // Logs are merged once their job is finished. The count has locked the log against `replace`, so a piece that
        // holds this chunk is visible from here on.
        const piece = running
          ? undefined
          : (await this.coveringOn(trx, jobId, added.offset)).find((each) => isPieceOf(each, added));
        if (!piece) {
          if (!running)
            for (const table of ['log_filters', 'log_extracts'] as const)
              await trx.deleteFrom(table).where('jobId', '=', jobId).execute();
          return added;
        }
        await trx.deleteFrom('log_chunks').where('jobId', '=', jobId).where('sequence', '=', added.sequence).execute();
        await this.count(trx, jobId, -1, -added.size);
        return piece;
      }
      const row = await trx
        .selectFrom('log_chunks')
        .select(columns)
        .where('jobId', '=', jobId)
        .where('sequence', '=', added.sequence)
        .executeTakeFirstOrThrow();
      return entry(row);
    });
  }

  async replace(jobId: string, removed: readonly ChunkEntry[], added: ChunkEntry | null): Promise<boolean> {
    const done = await inTransaction(this.db, 'log.replace', async (trx) => {
      const keys = removed.map((each) => each.key);
      const present = await trx
        .selectFrom('log_chunks')
        .select(['sequence', 'storedKey'])
        .where('jobId', '=', jobId)
        .where(
          'sequence',
          'in',
          removed.map((each) => each.sequence),
        )
        .forUpdate()
        .execute();
      if (present.length !== removed.length || present.some((row) => !keys.includes(row.storedKey))) return false;
      await trx
        .deleteFrom('log_chunks')
        .where('jobId', '=', jobId)
        .where(
          'sequence',
          'in',
          removed.map((each) => each.sequence),
        )
        .execute();
      if (added) await trx.insertInto('log_chunks').values(this.row(jobId, added)).execute();
      const bytes = (added?.size ?? 0) - removed.reduce((sum, each) => sum + each.size, 0);
      await this.count(trx, jobId, (added ? 1 : 0) - removed.length, bytes);
      return true;
    });
    return done;
  }

  private async coveringOn(db: Db, jobId: string, offset: number): Promise<ChunkEntry[]> {
    const rows = await db
      .selectFrom('log_chunks')
      .select(columns)
      .where('jobId', '=', jobId)
      .where('startOffset', '<=', offset)
      .where('startOffset', '>=', Math.max(0, offset - pieceBytes - chunkMaxBytes))
      .where(sql<boolean>`start_offset + size > ${offset}::bigint`)
      .orderBy('startOffset')
      .orderBy('sequence')
      .execute();
    return rows.map(entry);
  }

  private row(jobId: string, { sequence, offset, size, key, storedSize }: ChunkEntry) {
    return {
      jobId,
      organizationId: this.organizationId,
      sequence,
      startOffset: offset,
      size,
      storedKey: key,
      storedSize,
    };
  }

  /**
   * Counts in the transaction of the change, for the job too: a crash between the two would leave the job a size of its
   * own. True while the job is not finished.
   */
  private async count(trx: Db, jobId: string, entries: number, bytes: number): Promise<boolean> {
    const usage = await trx
      .insertInto('log_usage')
      .values({ jobId, organizationId: this.organizationId, entries, bytes })
      .onConflict((conflict) =>
        conflict.column('jobId').doUpdateSet({
          entries: sql<number>`log_usage.entries + excluded.entries`,
          bytes: sql<number>`log_usage.bytes + excluded.bytes`,
        }),
      )
      .returning('bytes')
      .executeTakeFirstOrThrow();
    return storeLogSize(trx, jobId, usage.bytes);
  }
}
