import { defineEntity, p } from '@mikro-orm/core';
import { at, atOrNull, idOrNull, textList, textOrNull } from './columns.js';

export type ConnectionState = 'never_connected' | 'connected' | 'stopping' | 'stopped' | 'disconnected' | 'lost';

export const AgentSchema = defineEntity({
  name: 'Agent',
  tableName: 'agents',
  indexes: [
    { properties: ['organizationId', 'id'] },
    {
      // Agents that come and go leave rows behind: lists show those that are there.
      name: 'agents_present_index',
      properties: ['organizationId', 'id'],
      expression: `create index "agents_present_index" on "agents" ("organization_id", "id") where "connection_state" in ('connected', 'stopping')`,
    },
    {
      name: 'agents_live_index',
      properties: ['clusterQueueId', 'heartbeatAt'],
      expression: `create index "agents_live_index" on "agents" ("cluster_queue_id", "heartbeat_at") where "connection_state" in ('never_connected', 'connected', 'stopping')`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    clusterId: idOrNull(),
    clusterQueueId: idOrNull(),
    agentTokenId: p.uuid(),
    /** Hash of the session token; null once the agent has left for good. */
    sessionTokenHash: p.text().nullable().unique(),
    name: p.text(),
    hostname: textOrNull(),
    ipAddress: textOrNull(),
    os: textOrNull(),
    arch: textOrNull(),
    version: textOrNull(),
    build: textOrNull(),
    userAgent: textOrNull(),
    pid: textOrNull(),
    machineId: textOrNull(),
    features: textList(),
    metaData: textList(),
    priority: p.integer().nullable(),
    scriptEvalEnabled: p.boolean().default(true),
    ignoreInDispatches: p.boolean().default(false),
    connectionState: p.text().$type<ConnectionState>(),
    stopForcedById: idOrNull(),
    stoppedGracefullyById: idOrNull(),
    pausedById: idOrNull(),
    pausedNote: textOrNull(),
    pausedTimeoutInMinutes: p.integer().nullable(),
    createdAt: at(),
    connectedAt: atOrNull(),
    disconnectedAt: atOrNull(),
    lostAt: atOrNull(),
    stoppedAt: atOrNull(),
    stopForcedAt: atOrNull(),
    stoppedGracefullyAt: atOrNull(),
    heartbeatAt: at(),
    pingedAt: atOrNull(),
    pausedAt: atOrNull(),
    lastJobFinishedAt: atOrNull(),
    lastJobPassedAt: atOrNull(),
  },
});
