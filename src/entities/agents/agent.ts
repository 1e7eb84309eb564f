import { defineEntity, p } from '@mikro-orm/core';
import { type AgentState, liveAgentStates } from '../../domain/agents/agent-state.js';
import { at, atOrNull, idOrNull, textList, textOrNull } from '../columns.js';
import { sqlList } from '../sql-list.js';

export const AgentSchema = defineEntity({
  name: 'Agent',
  tableName: 'agents',
  indexes: [
    { properties: ['organizationId', 'id'] },
    {
      // Agents leave rows behind when they disconnect; lists show connected ones.
      name: 'agents_present_index',
      properties: ['organizationId', 'id'],
      expression:
        `create index "agents_present_index" on "agents" ("organization_id", "id") where ` +
        `"connection_state" in ('connected', 'stopping')`,
    },
    {
      name: 'agents_live_index',
      properties: ['clusterQueueId', 'heartbeatAt'],
      expression:
        `create index "agents_live_index" on "agents" ("cluster_queue_id", "heartbeat_at") where ` +
        `"connection_state" in ${sqlList(liveAgentStates)}`,
    },
    {
      name: 'agents_silent_index',
      properties: ['heardMs'],
      expression:
        `create index "agents_silent_index" on "agents" ("heard_ms") where ` +
        `"connection_state" in ${sqlList(liveAgentStates)}`,
    },
    {
      name: 'agents_uncounted_index',
      properties: ['id'],
      expression: `create index "agents_uncounted_index" on "agents" ("id") where "uncounted_since_at" is not null`,
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
    connectionState: p.text().$type<AgentState>(),
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
    /**
     * Value of the installation's listening clock at the agent's last sign of life; its silence is measured from it.
     */
    heardMs: p.bigint('number').default(0),
    /** From where on its time is not in rollups yet, and the listening clock then; null where none of it is missing. */
    uncountedSinceAt: atOrNull(),
    uncountedSinceMs: p.bigint('number').nullable(),
    pingedAt: atOrNull(),
    pausedAt: atOrNull(),
    lastJobFinishedAt: atOrNull(),
  },
});
