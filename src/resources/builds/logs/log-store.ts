import type { Services } from '../../../services/services.js';
import { isTerminal } from '../../../domain/builds/job-state.js';
import type { Db, JobRow } from '../../../entities/database.js';
import { defaultLogLimits, type LogRef, type LogStore } from '../../../storage/logs/chunk-index.js';
import type { LogView } from '../../../storage/logs/read-log.js';
import { SqlChunkIndex } from './chunk-index.js';

/**
 * The log engine over this installation's database and storage. Never used inside a transaction: each write begins one
 * of its own. A request gives its own handle to read on, which has its bounds.
 */
export function logStore(services: Services, organizationId: string, db: Db = services.db): LogStore {
  return {
    storage: services.storage,
    index: new SqlChunkIndex(db, organizationId),
    limits: defaultLogLimits,
    onDamage: (jobId, entry, reason) =>
      services.log.error({ jobId, key: entry.key, reason }, 'bytes of a log are missing or damaged'),
  };
}

/** Returns the reference of a job's log, with the owners in its objects' path. */
export function logRef(job: Pick<JobRow, 'id' | 'organizationId' | 'buildId'>): LogRef {
  return { organizationId: job.organizationId, buildId: job.buildId, jobId: job.id };
}

/** Returns the view of a job's log: while the job runs, the log ends at the first gap. */
export function logView(job: Pick<JobRow, 'id' | 'state'>): LogView {
  return { jobId: job.id, finished: isTerminal(job.state) };
}
