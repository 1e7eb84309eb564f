import { defineEntity, p } from '@mikro-orm/core';
import type { RollupSpan } from '../../domain/builds/insights/rollup.js';
import { at } from '../columns.js';

/** Time of the agents of a queue in an hour, day or month of UTC, all of them together. */
export const AgentTimeRollupSchema = defineEntity({
  name: 'AgentTimeRollup',
  tableName: 'agent_time_rollups',
  indexes: [{ properties: ['clusterId', 'clusterQueueId'] }, { properties: ['span', 'beginsAt'] }],
  properties: {
    organizationId: p.uuid().primary(),
    span: p.text().$type<RollupSpan>().primary(),
    beginsAt: at().primary(),
    clusterQueueId: p.uuid().primary(),
    clusterId: p.uuid(),
    /** Milliseconds for which agents were connected. */
    connectedMs: p.bigint('number'),
    /** Milliseconds of these for which they held a job. */
    busyMs: p.bigint('number'),
  },
});
