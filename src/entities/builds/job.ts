import { defineEntity, p } from '@mikro-orm/core';
import { concurrencyMemberStates } from '../../domain/agents/concurrency.js';
import { agentHeldStates, type JobState, type JobType, unfinishedJobStates } from '../../domain/builds/job-state.js';
import type { Json, SoftFail } from '../../domain/pipelines/steps/step.js';
import { at, atOrNull, idOrNull, json, textList, textOrNull } from '../columns.js';
import { sqlList } from '../sql-list.js';

export const JobSchema = defineEntity({
  name: 'Job',
  tableName: 'jobs',
  indexes: [
    { properties: ['buildId', 'position'] },
    { properties: ['stepId'] },
    { properties: ['organizationId', 'id'] },
    { properties: ['pipelineId', 'id'] },
    { properties: ['agentId', 'id'] },
    { properties: ['organizationId', 'state', 'id'] },
    { properties: ['organizationId', 'finishedAt'] },
    { properties: ['pipelineId', 'state', 'id'] },
    { properties: ['clusterQueueId', 'id'] },
    { properties: ['clusterId', 'id'] },
    {
      name: 'jobs_of_type_index',
      properties: ['organizationId', 'type', 'id'],
      expression:
        `create index "jobs_of_type_index" on "jobs" ("organization_id", "type", "id") where "type" ` + `<> 'command'`,
    },
    {
      name: 'jobs_of_priority_index',
      properties: ['organizationId', 'priority', 'id'],
      expression:
        `create index "jobs_of_priority_index" on "jobs" ("organization_id", "priority", "id") where ` +
        `"priority" <> 0`,
    },
    {
      name: 'jobs_of_agent_query_rules_index',
      properties: ['organizationId', 'agentQueryRules', 'id'],
      expression:
        `create index "jobs_of_agent_query_rules_index" on "jobs" ("organization_id", ` +
        `hash_array_extended("agent_query_rules", 0), "id") where "agent_query_rules" <> '{}'`,
    },
    {
      name: 'jobs_failed_of_organization_index',
      properties: ['organizationId', 'id'],
      expression:
        `create index "jobs_failed_of_organization_index" on "jobs" ("organization_id", "id") where ` +
        `"state" = 'finished' and not "passed"`,
    },
    {
      name: 'jobs_failed_of_pipeline_index',
      properties: ['pipelineId', 'id'],
      expression:
        `create index "jobs_failed_of_pipeline_index" on "jobs" ("pipeline_id", "id") where "state" = ` +
        `'finished' and not "passed"`,
    },
    {
      name: 'jobs_agent_id_assigned_at_id_index',
      properties: ['agentId', 'assignedAt', 'id'],
      expression:
        `create index "jobs_agent_id_assigned_at_id_index" on "jobs" ("agent_id", "assigned_at", ` +
        `"id") where "assigned_at" is not null`,
    },
    {
      name: 'jobs_of_concurrency_group_index',
      properties: ['organizationId', 'concurrencyGroup', 'id'],
      expression:
        `create index "jobs_of_concurrency_group_index" on "jobs" ("organization_id", ` +
        `"concurrency_group", "id") where "concurrency_group" is not null`,
    },
    {
      name: 'jobs_dispatch_index',
      properties: ['clusterQueueId', 'priority', 'scheduledAt', 'position'],
      expression:
        `create index "jobs_dispatch_index" on "jobs" ("organization_id", "cluster_queue_id", ` +
        `"priority" desc, "scheduled_at", "position", "id") where "state" = 'scheduled' and "type" = 'command'`,
    },
    {
      // The same, a stretch for each set of rules: dispatch steps over the jobs that no agent of a queue can take.
      name: 'jobs_dispatch_rules_index',
      properties: ['clusterQueueId', 'agentQueryRules', 'priority', 'scheduledAt', 'position'],
      expression:
        `create index "jobs_dispatch_rules_index" on "jobs" ("organization_id", "cluster_queue_id", ` +
        `hash_array_extended("agent_query_rules", 0), "priority" desc, "scheduled_at", "position", "id") where ` +
        `"state" = 'scheduled' and "type" = 'command'`,
    },
    {
      name: 'jobs_held_by_agent_unique',
      properties: ['agentId'],
      expression:
        `create unique index "jobs_held_by_agent_unique" on "jobs" ("agent_id") where ` +
        `"state" in ${sqlList(agentHeldStates)}`,
    },
    {
      name: 'jobs_unfinished_index',
      properties: ['state'],
      expression:
        `create index "jobs_unfinished_index" on "jobs" ("pipeline_id", "state") where ` +
        `"state" in ${sqlList(unfinishedJobStates)}`,
    },
    {
      name: 'jobs_concurrency_index',
      properties: ['organizationId', 'concurrencyGroup'],
      expression:
        `create index "jobs_concurrency_index" on "jobs" ("organization_id", "concurrency_group", ` +
        `"concurrency_queued_at") where "concurrency_group" is not null and ` +
        `"state" in ${sqlList(concurrencyMemberStates)}`,
    },
    {
      name: 'jobs_open_triggers_index',
      properties: ['runnableAt'],
      expression:
        `create index "jobs_open_triggers_index" on "jobs" ("runnable_at") where "type" = 'trigger' ` +
        `and "state" in ('scheduled', 'running')`,
    },
    {
      name: 'jobs_deadline_index',
      properties: ['deadlineAt'],
      expression: `create index "jobs_deadline_index" on "jobs" ("deadline_at") where "deadline_at" is not null`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    buildId: p.uuid(),
    stepId: p.uuid(),
    type: p.text().$type<JobType>(),
    position: p.integer(),
    state: p.text().$type<JobState>(),
    passed: p.boolean().default(false),
    softFailed: p.boolean().default(false),
    label: textOrNull(),
    command: textOrNull(),
    env: json<Record<string, string>>().defaultRaw(`'{}'`),
    plugins: json<Json[]>().nullable(),
    agentQueryRules: textList(),
    artifactPaths: textOrNull(),
    priority: p.integer().default(0),
    timeoutInMinutes: p.integer().nullable(),
    /** The timeout before the job itself changed it, 0 for none; null while it has not. */
    initialTimeoutInMinutes: p.integer().nullable(),
    exitStatus: p.integer().nullable(),
    signal: textOrNull(),
    signalReason: textOrNull(),
    brokenReason: textOrNull(),
    promisedExitStatus: p.integer().nullable(),
    parallelGroupIndex: p.integer().nullable(),
    parallelGroupTotal: p.integer().nullable(),
    matrix: json<Json>().nullable(),
    /** Set if a matrix adjustment overrides the step's value. */
    softFail: json<SoftFail>().nullable(),
    clusterId: idOrNull(),
    clusterQueueId: idOrNull(),
    agentId: idOrNull(),
    /** The stack that reserved the job last; null once it is back in the queue. */
    stackId: idOrNull(),
    /** Raised at each assignment; calls that carry an older one change nothing. */
    attempt: p.integer().default(0),
    /** Uploads of the build when the agent took the job, which decide its environment; null before. */
    uploadCount: p.integer().nullable(),
    concurrencyGroup: textOrNull(),
    concurrencyLimit: p.integer().nullable(),
    concurrencyMethod: p.text().$type<'ordered' | 'eager'>().default('ordered'),
    retried: p.boolean().default(false),
    retriedInJobId: idOrNull(),
    retrySourceId: idOrNull(),
    retriesCount: p.integer().nullable(),
    retryType: p.text().$type<'automatic' | 'manual'>().nullable(),
    retriedById: idOrNull(),
    /** Number of retries that each automatic rule has caused in this chain, by rule index. */
    retryRuleUses: json<number[]>().defaultRaw(`'[]'`),
    async: p.boolean().default(false),
    triggeredBuildId: idOrNull(),
    unblockedById: idOrNull(),
    canceledById: idOrNull(),
    /** Bytes of log acknowledged so far. */
    logSize: p.bigint('number').default(0),
    chunksFailedCount: p.integer().default(0),
    createdAt: at(),
    scheduledAt: atOrNull(),
    concurrencyQueuedAt: atOrNull(),
    runnableAt: atOrNull(),
    assignedAt: atOrNull(),
    acceptedAt: atOrNull(),
    startedAt: atOrNull(),
    finishedAt: atOrNull(),
    expiredAt: atOrNull(),
    canceledAt: atOrNull(),
    unblockedAt: atOrNull(),
    promisedExitStatusAt: atOrNull(),
    /** When the state the job is in now runs out (assignment, acceptance, timeout, grace); null where it cannot. */
    deadlineAt: atOrNull(),
    /** When its log went, with the reason if it was its age. */
    logDeletedAt: atOrNull(),
    logExpiredAt: atOrNull(),
    logCompactedAt: atOrNull(),
  },
});
