import type { Services } from '../../context.js';
import { isTerminal } from '../../domain/job-state.js';
import type { JobRow } from '../../entities/database.js';
import { defaultLogLimits, type LogRef, type LogStore } from '../../storage/logs/chunk-index.js';
import type { LogView } from '../../storage/logs/read-log.js';
import { SqlChunkIndex } from './chunk-index.js';

/** The log engine over this installation's database and storage. Never used inside a transaction. */
export function logStore(services: Services, organizationId: string): LogStore {
  return {
    storage: services.storage,
    index: new SqlChunkIndex(services.db, organizationId),
    limits: defaultLogLimits,
    onDamage: (jobId, entry, reason) => services.log.error({ jobId, key: entry.key, reason }, 'bytes of a log are missing or damaged'),
  };
}

/** Which log is a job's, with the owners its objects are filed under. */
export function logRef(job: Pick<JobRow, 'id' | 'organizationId' | 'buildId'>): LogRef {
  return { organizationId: job.organizationId, buildId: job.buildId, jobId: job.id };
}

/** How a job's log is read: while it runs, the log ends at the first gap. */
export function logView(job: Pick<JobRow, 'id' | 'state'>): LogView {
  return { jobId: job.id, finished: isTerminal(job.state) };
}
