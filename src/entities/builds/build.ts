import { defineEntity, p } from '@mikro-orm/core';
import { type BlockedState, type BuildState, unfinishedBuildStates } from '../../domain/builds/build-state.js';
import type { ConditionFacts } from '../../domain/pipelines/conditions/condition.js';
import type { Json } from '../../domain/pipelines/steps/step.js';
import { at, atOrNull, idOrNull, json, textList, textOrNull } from '../columns.js';
import { sqlList } from '../sql-list.js';

export type BuildSource = 'api' | 'ui' | 'webhook' | 'schedule' | 'trigger_job';
export interface BuildAuthor {
  name: string | null;
  email: string | null;
  username?: string | null;
}

export const BuildSchema = defineEntity({
  name: 'Build',
  tableName: 'builds',
  uniques: [{ properties: ['pipelineId', 'number'] }],
  indexes: [
    { properties: ['organizationId', 'id'] },
    { properties: ['pipelineId', 'branch', 'number'] },
    { properties: ['pipelineId', 'commit', 'number'] },
    { properties: ['organizationId', 'creatorId', 'id'] },
    { properties: ['organizationId', 'branch', 'id'] },
    { properties: ['organizationId', 'commit', 'id'] },
    { properties: ['organizationId', 'state', 'id'] },
    { properties: ['organizationId', 'createdAt', 'id'] },
    { properties: ['organizationId', 'finishedAt'] },
    { properties: ['pipelineId', 'state', 'number'] },
    { properties: ['pipelineId', 'creatorId', 'number'] },
    { properties: ['pipelineId', 'createdAt', 'id'] },
    { properties: ['pipelineId', 'finishedAt'] },
    { properties: ['triggeredFromJobId'] },
    { properties: ['rebuiltFromId'] },
    {
      name: 'builds_of_schedule_number_index',
      properties: ['pipelineScheduleId', 'number'],
      expression:
        `create index "builds_of_schedule_number_index" on "builds" ("pipeline_schedule_id", ` +
        `"number") where "pipeline_schedule_id" is not null`,
    },
    {
      name: 'builds_passed_of_branch_index',
      properties: ['pipelineId', 'branch', 'number'],
      expression:
        `create index "builds_passed_of_branch_index" on "builds" ("pipeline_id", "branch", "number") where ` +
        `"state" = 'passed'`,
    },
    {
      // The sweep pages through these by id: among all builds it would step over every finished one.
      name: 'builds_unfinished_id_index',
      properties: ['id'],
      expression:
        `create index "builds_unfinished_id_index" on "builds" ("id") where ` +
        `"state" in ${sqlList(unfinishedBuildStates)}`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    number: p.integer(),
    /** `blocked` is stored as such; REST shows `blockedState` beside `blocked: true`. */
    state: p.text().$type<BuildState>(),
    /** Whether a hard failure stood at the last decision; `failingAt` is when one first did. */
    failing: p.boolean().default(false),
    blockedState: p.text().$type<BlockedState>().nullable(),
    cancelReason: textOrNull(),
    canceledById: idOrNull(),
    message: textOrNull(),
    commit: p.text(),
    branch: p.text(),
    tag: textOrNull(),
    env: json<Record<string, Json>>().defaultRaw(`'{}'`),
    /** Environment of the pipeline document at creation and of uploads, below the build's own. */
    pipelineEnv: json<Record<string, string>>().defaultRaw(`'{}'`),
    /** Build-level `notify` of the pipeline document at creation and of uploads. */
    notify: json<Json[]>().defaultRaw(`'[]'`),
    /** Whether a step has `notify`: events of its jobs are looked at only then. */
    stepNotify: p.boolean().default(false),
    source: p.text().$type<BuildSource>(),
    creatorId: idOrNull(),
    author: json<BuildAuthor>().nullable(),
    pullRequestId: textOrNull(),
    pullRequestBaseBranch: textOrNull(),
    pullRequestRepository: textOrNull(),
    pullRequestLabels: textList(),
    pullRequestDraft: p.boolean().nullable(),
    cleanCheckout: p.boolean().default(false),
    commitResolved: p.boolean().default(false),
    ignorePipelineBranchFilters: p.boolean().default(false),
    rebuiltFromId: idOrNull(),
    triggeredFromJobId: idOrNull(),
    /** The search for a culprit that it tests a commit for: it is no push of its branch, and no history of it. */
    culpritSearchId: idOrNull(),
    /** The schedule that made it, which may be gone since. */
    pipelineScheduleId: idOrNull(),
    /** Length of the chain of trigger steps above this build. */
    triggerDepth: p.integer().default(0),
    /** Facts of its webhook event that conditions of later uploads can read, by the name of the variable. */
    conditions: json<ConditionFacts['values']>().defaultRaw(`'{}'`),
    /** Span of whoever created it, as W3C Trace Context writes it: the build's trace is that one's. */
    traceparent: textOrNull(),
    /** Pipeline uploads applied to it. */
    uploadCount: p.integer().default(0),
    /** Last event sequence of this build: events are ordered by sequence, not by clock. */
    eventSequence: p.integer().default(0),
    createdAt: at(),
    scheduledAt: atOrNull(),
    startedAt: atOrNull(),
    failingAt: atOrNull(),
    cancelRequestedAt: atOrNull(),
    canceledAt: atOrNull(),
    finishedAt: atOrNull(),
    /** When, by whom and why a person marked it to be kept by retention. */
    pinnedAt: atOrNull(),
    pinnedById: idOrNull(),
    pinReason: textOrNull(),
    /** When retention took the bytes of its logs, or of its artifacts; a retry of a job makes new ones. */
    logsExpiredAt: atOrNull(),
    artifactsExpiredAt: atOrNull(),
  },
});
