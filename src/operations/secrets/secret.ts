import type { ClusterSecretRow } from '../../entities/database.js';

/** A secret of a cluster without its value, as everybody but the jobs it is for sees it. */
export type Secret = Omit<ClusterSecretRow, 'encryptedValue'>;

export const secretColumns = [
  'id', 'organizationId', 'clusterId', 'key', 'description', 'policy', 'createdById', 'updatedById', 'createdAt', 'updatedAt', 'lastReadAt',
] as const satisfies readonly (keyof Secret)[];

/** What its value is encrypted for. */
export const secretPurpose = 'cluster secret';
