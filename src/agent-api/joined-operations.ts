import type { AnyOperation } from '../core/operation.js';
import { acceptJob } from '../operations/builds/jobs/accept.js';
import { finishJob } from '../operations/builds/jobs/finish.js';
import { startJob } from '../operations/builds/jobs/start.js';
import type { JoinedOperations } from '../resources/builds/jobs/joined-calls.js';

/** Operations whose calls of one moment share a transaction. */
export const joinedOperations: JoinedOperations = new Map<AnyOperation, 'surroundings' | 'build'>([
  [acceptJob, 'surroundings'],
  [startJob, 'build'],
  [finishJob, 'build'],
]);

/** Whether the input of such an operation comes from the body too. */
export const readsBody = (operation: AnyOperation): boolean => operation === finishJob;
