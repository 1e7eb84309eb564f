import type { Services } from '../../../services/services.js';
import type { RowCursor } from '../../../domain/installation/stored-objects.js';

/** What the sweep works with. */
export type SweepServices = Pick<Services, 'db' | 'storage' | 'clock' | 'log'>;

/** Bytes of a job's log by their place, before compression. */
export interface StoredRun {
  organizationId: string;
  jobId: string;
  offset: number;
  size: number;
}

/** A row that says an object is in storage. */
export interface StoredRow {
  /** Place in the order of {@link StoredObjectKind.rowsAfter}. */
  cursor: RowCursor;
  key: string;
  /** Bytes that the object has. */
  size: number;
  /** SHA-256 of the object, where a row knows it. */
  sha256: string | null;
  /** Which bytes of a log it holds; null for other kinds. */
  run: StoredRun | null;
}

/** Objects of one kind in storage, and the rows that own them. */
export interface StoredObjectKind {
  /** What it is, in the plural, for messages and metrics. */
  name: string;
  /** Whether objects of this kind have keys like this one. */
  has(key: string): boolean;
  /** The keys of this kind that no row owns, or will own once a write that is under way has ended. */
  orphans(services: Pick<Services, 'db' | 'clock'>, keys: readonly string[]): Promise<Set<string>>;
  /** Up to `limit` rows after a cursor. */
  rowsAfter(services: Pick<Services, 'db'>, cursor: RowCursor | null, limit: number): Promise<StoredRow[]>;
  /** Whether the row still owns its object: deletion takes the row before the object. */
  isOwner(services: Pick<Services, 'db'>, row: StoredRow): Promise<boolean>;
  /**
   * Makes an object again that was merged into another since its row was read. Null if its bytes are in no other; kinds
   * whose objects are never merged have no such function.
   */
  rebuild?(services: Services, row: Pick<StoredRow, 'key' | 'run'>): Promise<Buffer | null>;
}
