import type { Db } from '../entities/database.js';
import { rowLoader } from './batch-loader.js';

/**
 * Batched loaders of pipelines, builds and jobs by id, without access checks: for operations, which check access
 * themselves. Surfaces load references through {@link References} and cannot reach this class
 * (test/boundaries.test.ts).
 */
export class UncheckedRows {
  readonly pipeline;
  readonly build;
  readonly job;

  constructor(db: Db) {
    this.pipeline = rowLoader(() => db, 'pipelines');
    this.build = rowLoader(() => db, 'builds');
    this.job = rowLoader(() => db, 'jobs');
  }
}
