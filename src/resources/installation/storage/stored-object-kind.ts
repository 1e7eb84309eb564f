import type { Services } from '../../../services/services.js';
import type { RowCursor } from '../../../domain/installation/stored-objects.js';

/** What the sweep works with. */
export type SweepServices = Pick<Services, 'db' | 'storage' | 'clock' | 'log'>;

/** A row that says an object is in storage. */
export interface StoredRow {
  /** Place in the order of {@link StoredObjectKind.rowsAfter}. */
  cursor: RowCursor;
  key: string;
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
}
