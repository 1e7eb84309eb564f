import type { Lease } from '../../../core/lease.js';

/** Longer than a round takes: after a crash the others wait this long. */
export const sweepLease: Lease<'storage_sweeps'> = { table: 'storage_sweeps', name: 'objects', ms: 10 * 60_000 };
