import { defineEntity, p } from '@mikro-orm/core';
import type { StackType } from '../../domain/agents/stack.js';
import { at, atOrNull, json } from '../columns.js';

/** A program that starts agents for jobs of a cluster, such as the Kubernetes controller. */
export const StackSchema = defineEntity({
  name: 'Stack',
  tableName: 'stacks',
  uniques: [{ properties: ['clusterId', 'key'] }],
  indexes: [{ properties: ['organizationId'] }, { properties: ['clusterQueueId'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    clusterId: p.uuid(),
    /** The queue that it registered for; it may take jobs of others. */
    clusterQueueId: p.uuid(),
    key: p.text(),
    type: p.text().$type<StackType>(),
    metadata: json<Record<string, string>>().defaultRaw(`'{}'`),
    createdAt: at(),
    /** When it last registered or asked for jobs, to a few seconds. */
    lastConnectedAt: at(),
    /** When it signed off; null while it has not. */
    disconnectedAt: atOrNull(),
  },
});
