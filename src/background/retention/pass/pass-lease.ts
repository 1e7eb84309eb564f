import type { Lease } from '../../../core/lease.js';

/** Longer than a round takes: after a crash the others wait this long. Two that delete at once do no harm. */
export const passLease: Lease<'retention_passes'> = { table: 'retention_passes', name: 'retention', ms: 15_000 };
