import type { ClusterSecretRow } from '../../../entities/database.js';

/** A secret of a cluster without its value, as everyone but its jobs sees it. */
export type Secret = Omit<ClusterSecretRow, 'encryptedValue'>;

export const secretColumns = [
  'id',
  'organizationId',
  'clusterId',
  'key',
  'description',
  'policy',
  'createdById',
  'updatedById',
  'createdAt',
  'updatedAt',
  'lastReadAt',
] as const satisfies readonly (keyof Secret)[];

/** Purpose that binds the encrypted value to this use. */
export const secretPurpose = 'cluster secret';
