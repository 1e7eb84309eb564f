import { defineEntity, p } from '@mikro-orm/core';
import type { SizeKind } from '../../domain/retention/sizes.js';
import { at } from '../columns.js';

/** How many rows and bytes a pipeline, suite or organization has of a kind, as the background counted them last. */
export const StorageSizeSchema = defineEntity({
  name: 'StorageSize',
  tableName: 'storage_sizes',
  indexes: [{ properties: ['organizationId', 'kind'] }],
  properties: {
    /** The pipeline of builds, logs and artifacts, the suite of runs, the organization of audit events. */
    ownerId: p.uuid().primary(),
    kind: p.text().$type<SizeKind>().primary(),
    organizationId: p.uuid(),
    rows: p.bigint('number'),
    bytes: p.bigint('number'),
    countedAt: at(),
  },
});
