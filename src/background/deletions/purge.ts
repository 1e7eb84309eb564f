import type { DeletionRow } from '../../entities/database.js';
import type { Services } from '../../services/services.js';

/** What one batch of a purge did. */
export interface PurgedBatch {
  /** Rows deleted. */
  rows: number;
  /** Builds, suite runs or agents that are gone with everything below them. */
  items: number;
  /** Whether nothing is left. */
  ended: boolean;
}

/** How what belongs to a deleted resource is purged. Each method does a bounded part and may be repeated. */
export interface Purge {
  /** Ends what still goes on, at most `most` of it; 0 once there is nothing more to end, and the purge may begin. */
  prepare(services: Services, deletion: DeletionRow, most: number): Promise<number>;
  /** Counts the builds, suite runs or agents to purge. */
  count(services: Services, deletion: DeletionRow): Promise<number>;
  /** Deletes about `most` rows with their bytes. */
  batch(services: Services, deletion: DeletionRow, most: number): Promise<PurgedBatch>;
}
