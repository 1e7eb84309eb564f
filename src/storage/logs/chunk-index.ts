import type { StoredRange } from '../../domain/logs/layout.js';
import { chunkMaxBytes, logMaxBytes, logMaxChunks } from '../../domain/logs/limits.js';
import type { ObjectStorage } from '../storage.js';

/** One stored object of a log: a chunk as it came, or a piece merged from chunks. */
export interface ChunkEntry extends StoredRange {
  /** The chunk's number, unique in its job; negative for a piece. */
  sequence: number;
  /** Where the bytes lie, compressed. */
  key: string;
  /** Compressed size in bytes. */
  storedSize: number;
}

/** A place in the order of (offset, sequence). */
export interface ChunkCursor {
  offset: number;
  sequence: number;
}

/**
 * Which objects make up the log of a job: a database table with one row for each entry, unique by
 * (job, sequence), indexed by (job, offset, sequence). Each call is one short transaction of its own.
 */
export interface ChunkIndex {
  /** Up to `limit` entries after the cursor, ordered by (offset, sequence). */
  list(jobId: string, after: ChunkCursor | null, limit: number): Promise<ChunkEntry[]>;
  /** Entries that hold the byte at a raw offset, ordered by (offset, sequence). No entry is larger than `pieceBytes`. */
  covering(jobId: string, offset: number): Promise<ChunkEntry[]>;
  /** The chunk with a sequence number. */
  find(jobId: string, sequence: number): Promise<ChunkEntry | null>;
  /** Adds an entry unless its sequence number is taken. Gives the entry that is there afterwards. */
  insertIfAbsent(jobId: string, entry: ChunkEntry): Promise<ChunkEntry>;
  /** Number of entries and sum of their sizes. */
  usage(jobId: string): Promise<{ entries: number; bytes: number }>;
  /** Removes entries (by sequence and key) and adds another at once. False, and nothing done, if one to remove is gone. */
  replace(jobId: string, removed: readonly ChunkEntry[], added: ChunkEntry | null): Promise<boolean>;
  /** Removes all entries. */
  clear(jobId: string): Promise<void>;
}

/** The job whose log is meant, with the owners its objects are filed under. All are UUIDs. */
export interface LogRef {
  organizationId: string;
  buildId: string;
  jobId: string;
}

/** What the log engine works with. */
export interface LogStore {
  storage: ObjectStorage;
  index: ChunkIndex;
  limits: LogLimits;
  /** Told of a row whose bytes are missing or damaged; readers get a notice of the same length instead. */
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
