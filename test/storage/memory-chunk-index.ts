import { LogLayout } from '../../src/domain/builds/logs/layout.js';
import {
  type ChunkCursor,
  type ChunkEntry,
  type ChunkIndex,
  type ChunkPosition,
  type FoundEntry,
  isPieceOf,
} from '../../src/storage/logs/chunk-index.js';

/** The chunk index in a map, with the guarantees of the database table, for tests of the log engine. */
export class MemoryChunkIndex implements ChunkIndex {
  private readonly jobs = new Map<string, Map<number, ChunkEntry>>();

  /** Another index with the same entries. */
  copy(): MemoryChunkIndex {
    const copy = new MemoryChunkIndex();
    for (const [job, rows] of this.jobs)
      copy.jobs.set(job, new Map([...rows].map(([sequence, entry]) => [sequence, { ...entry }])));
    return copy;
  }

  async list(jobId: string, after: ChunkCursor | null, limit: number): Promise<ChunkEntry[]> {
    const all = this.sorted(jobId);
    const rest = after
      ? all.filter((e) => e.offset > after.offset || (e.offset === after.offset && e.sequence > after.sequence))
      : all;
    return rest.slice(0, limit);
  }

  async measure(jobId: string, finished: boolean): Promise<number> {
    const layout = new LogLayout(finished);
    for (const entry of this.sorted(jobId)) layout.place(entry);
    return layout.size;
  }

  async seek(jobId: string, finished: boolean, position: number): Promise<FoundEntry | null> {
    const layout = new LogLayout(finished);
    let rawEnd = 0;
    for (const entry of this.sorted(jobId)) {
      const segment = layout.place(entry);
      if (segment && segment.position + segment.length > position) {
        const before = { offset: entry.offset, sequence: entry.sequence - 1 };
        return { before, rawEnd, readableEnd: segment.position };
      }
      if (segment) rawEnd = entry.offset + entry.size;
    }
    return null;
  }

  async covering(jobId: string, offset: number): Promise<ChunkEntry[]> {
    return this.sorted(jobId).filter((entry) => entry.offset <= offset && entry.offset + entry.size > offset);
  }

  async place(jobId: string, sequence: number): Promise<ChunkPosition> {
    const all = [...this.rows(jobId).values()];
    return {
      known: this.rows(jobId).get(sequence) ?? null,
      entries: all.length,
      bytes: all.reduce((sum, { size }) => sum + size, 0),
    };
  }

  async insertIfAbsent(jobId: string, stored: Promise<ChunkEntry>): Promise<ChunkEntry> {
    const entry = await stored;
    const rows = this.rows(jobId);
    const there = rows.get(entry.sequence) ?? [...rows.values()].find((each) => isPieceOf(each, entry));
    if (!there) rows.set(entry.sequence, entry);
    return there ?? entry;
  }

  async replace(jobId: string, removed: readonly ChunkEntry[], added: ChunkEntry | null): Promise<boolean> {
    const rows = this.rows(jobId);
    if (!removed.every(({ sequence, key }) => rows.get(sequence)?.key === key)) return false;
    for (const { sequence } of removed) rows.delete(sequence);
    if (added) rows.set(added.sequence, added);
    return true;
  }

  private rows(jobId: string): Map<number, ChunkEntry> {
    const rows = this.jobs.get(jobId) ?? new Map<number, ChunkEntry>();
    this.jobs.set(jobId, rows);
    return rows;
  }

  private sorted(jobId: string): ChunkEntry[] {
    return [...this.rows(jobId).values()].sort((a, b) => a.offset - b.offset || a.sequence - b.sequence);
  }
}
