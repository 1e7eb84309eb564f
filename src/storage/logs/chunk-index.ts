import type { Placed, StoredRange } from '../../domain/builds/logs/layout.js';
import { chunkMaxBytes, logMaxBytes, logMaxChunks } from '../../domain/limits/log-limits.js';
import type { ObjectStorage } from '../storage.js';

/** One stored object of a log: a chunk as it came, or a piece merged from chunks. */
export interface ChunkEntry extends StoredRange {
  /** The chunk's number, unique in its job; negative for a piece. */
  sequence: number;
  /** Storage key of the compressed bytes. */
  key: string;
  /** Compressed size in bytes. */
  storedSize: number;
}

/** Whether an entry is a merged piece that holds all bytes of a chunk: its own row is gone then. */
export function isPieceOf(entry: ChunkEntry, { offset, size }: StoredRange): boolean {
  return entry.sequence < 0 && entry.offset <= offset && entry.offset + entry.size >= offset + size;
}

/** A place in the order of (offset, sequence). */
export interface ChunkCursor {
  offset: number;
  sequence: number;
}

/** An entry of the readable log, found by position: the cursor before it, and what is placed before it. */
export interface FoundEntry extends Placed {
  before: ChunkCursor;
}

/** What decides whether a chunk is taken. */
export interface ChunkPosition {
  known: ChunkEntry | null;
  /** Number of the log's entries and sum of their sizes. */
  entries: number;
  bytes: number;
}

/**
 * Index of the objects of a job's log: a database table with one row for each entry, unique by (job, sequence), indexed
 * by (job, offset, sequence). Each call is one short transaction.
 */
export interface ChunkIndex {
  /** Up to `limit` entries after the cursor, ordered by (offset, sequence). */
  list(jobId: string, after: ChunkCursor | null, limit: number): Promise<ChunkEntry[]>;
  /** Bytes of the readable log by the rules of `LogLayout`. */
  measure(jobId: string, finished: boolean): Promise<number>;
  /** The entry that adds the byte at `position` of the readable log; null if the log ends before it. */
  seek(jobId: string, finished: boolean, position: number): Promise<FoundEntry | null>;
  /**
   * Entries that hold the byte at a raw offset, ordered by (offset, sequence). No entry is larger than `pieceBytes`.
   */
  covering(jobId: string, offset: number): Promise<ChunkEntry[]>;
  /** The chunk with a sequence number, if there is one, beside what the log has so far. */
  place(jobId: string, sequence: number): Promise<ChunkPosition>;
  /**
   * Adds a chunk, once its bytes are stored, unless its sequence number is taken or a piece contains all of its bytes.
   * Returns the entry that contains the chunk afterwards: the chunk, the earlier one with its number, or the piece.
   * Rejects as `stored` does.
   */
  insertIfAbsent(jobId: string, stored: Promise<ChunkEntry>): Promise<ChunkEntry>;
  /**
   * Removes entries (by sequence and key) and adds another at once. False, and nothing done, if one to remove is gone.
   */
  replace(jobId: string, removed: readonly ChunkEntry[], added: ChunkEntry | null): Promise<boolean>;
}

/** The job whose log is meant, with the owners its objects are filed under. All are UUIDs. */
export interface LogRef {
  organizationId: string;
  buildId: string;
  jobId: string;
}

/** Services of the log engine. */
export interface LogStore {
  storage: ObjectStorage;
  index: ChunkIndex;
  limits: LogLimits;
  /** Called for a row whose object is missing or damaged; readers get a notice of the same length instead. */
  onDamage: (jobId: string, entry: ChunkEntry, reason: string) => void;
}

export interface LogLimits {
  chunkMaxBytes: number;
  logMaxBytes: number;
  logMaxChunks: number;
}

/** The limits of docs/logs.md. */
export const defaultLogLimits: LogLimits = { chunkMaxBytes, logMaxBytes, logMaxChunks };

/** The folder that holds everything of one job's log. */
export function logFolder({ organizationId, buildId, jobId }: LogRef): string {
  return `organizations/${organizationId}/builds/${buildId}/jobs/${jobId}/log/`;
}
