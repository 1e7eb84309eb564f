import { defineEntity, p } from '@mikro-orm/core';
import { at, atOrNull, idOrNull, textOrNull } from '../columns.js';

/** A value for the jobs of a cluster, never shown to users again. */
export const ClusterSecretSchema = defineEntity({
  name: 'ClusterSecret',
  tableName: 'cluster_secrets',
  indexes: [
    { properties: ['clusterId', 'id'] },
    {
      // Jobs ask for keys in any case, so two keys may not differ in nothing else.
      name: 'cluster_secrets_key_unique',
      properties: ['clusterId', 'key'],
      expression: `create unique index "cluster_secrets_key_unique" on "cluster_secrets" ("cluster_id", lower("key"))`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    clusterId: p.uuid(),
    key: p.text(),
    description: textOrNull(),
    /** YAML policy: jobs that may read it; null for all jobs of the cluster. */
    policy: textOrNull(),
    /** As `auth/sealed.ts` makes it; bound to the row's id. */
    encryptedValue: p.text(),
    createdById: idOrNull(),
    updatedById: idOrNull(),
    createdAt: at(),
    updatedAt: at(),
    lastReadAt: atOrNull(),
  },
});
