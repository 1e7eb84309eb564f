import type { AnyOperation } from '../core/operation.js';
import { acceptJob } from '../operations/builds/jobs/accept.js';
import { finishJob } from '../operations/builds/jobs/finish.js';
import { startJob } from '../operations/builds/jobs/start.js';
import type { BatchOperations } from '../resources/builds/jobs/job-call-batches.js';

/** Operations whose calls are carried out in batches, each in one transaction. */
export const batchOperations: BatchOperations = new Map<AnyOperation, 'surroundings' | 'build'>([
  [acceptJob, 'surroundings'],
  [startJob, 'build'],
  [finishJob, 'build'],
]);

/** Whether the input of such an operation comes from the body too. */
export const readsBody = (operation: AnyOperation): boolean => operation === finishJob;
