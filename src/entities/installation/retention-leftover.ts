import { defineEntity, p } from '@mikro-orm/core';
import type { BuildKind } from '../../domain/retention/policy.js';
import { at } from '../columns.js';

/**
 * Bytes that retention has yet to delete, with the rows that say where they are: written in the transaction that takes
 * the build, or marks its logs or artifacts, and deleted once nothing is left.
 */
export const RetentionLeftoverSchema = defineEntity({
  name: 'RetentionLeftover',
  tableName: 'retention_leftovers',
  indexes: [{ properties: ['createdAt'] }],
  properties: {
    buildId: p.uuid().primary(),
    kind: p.text().$type<BuildKind>().primary(),
    organizationId: p.uuid(),
    createdAt: at(),
  },
});
