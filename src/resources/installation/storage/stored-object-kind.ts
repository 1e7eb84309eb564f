import type { Services } from '../../../services.js';
import type { ObjectStat } from '../../../storage/storage.js';

/** A row that says an object is in storage. */
export interface StoredRow {
  /** Place in the order of {@link StoredObjectKind.rowsAfter}. */
  cursor: readonly [string, number];
  key: string;
  /** Ids that the log shows when the object is missing. */
  names: Record<string, string | number>;
}

/** Objects of one kind in storage, and the rows that own them. */
export interface StoredObjectKind {
  /** What it is, in the plural, for messages and metrics. */
  name: string;
  /** The objects of this kind that no row owns, or will own once a write that is under way has ended. */
  orphans(services: Services, objects: readonly ObjectStat[]): Promise<ObjectStat[]>;
  /** Up to `limit` rows after a cursor. */
  rowsAfter(services: Services, cursor: StoredRow['cursor'] | null, limit: number): Promise<StoredRow[]>;
  /** Whether the row still owns its object: deletion takes the row before the object. */
  isOwner(services: Services, row: StoredRow): Promise<boolean>;
}

/** An object that is younger may belong to a write that has not recorded it yet: longer than a job's token is valid after its end. */
const graceMs = 2 * 60 * 60_000;

/** Whether a moment is longer ago than any write under way can have begun. */
export function isSettled({ clock }: Pick<Services, 'clock'>, moment: Date): boolean {
  return moment.getTime() < clock.now().getTime() - graceMs;
}
