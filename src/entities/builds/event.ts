import { defineEntity, p } from '@mikro-orm/core';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { at, idOrNull, json, textOrNull } from '../columns.js';

export type EventActorType = 'user' | 'agent' | 'stack' | 'system';

/**
 * Every state change of a build, job, agent, cluster, organization, pipeline, template, team, membership, suite or
 * suite run: actor, change, time, states before and after, reason.
 */
export const EventSchema = defineEntity({
  name: 'Event',
  tableName: 'events',
  indexes: [
    { properties: ['buildId', 'sequence'] },
    { properties: ['jobId', 'id'] },
    { properties: ['organizationId', 'id'] },
    {
      name: 'events_run_index',
      properties: ['subjectId'],
      expression: `create index "events_run_index" on "events" ("subject_id") where "subject" = 'run'`,
    },
    { properties: ['organizationId', 'position'] },
    {
      name: 'events_position_unique',
      properties: ['position'],
      expression: `create unique index "events_position_unique" on "events" ("position") where "position" is not null`,
    },
    {
      name: 'events_unplaced_index',
      properties: ['ordinal'],
      expression: `create index "events_unplaced_index" on "events" ("ordinal") where "position" is null`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    subject: p
      .text()
      .$type<
        | 'build'
        | 'job'
        | 'agent'
        | 'cluster'
        | 'organization'
        | 'organization-member'
        | 'pipeline'
        | 'pipeline-template'
        | 'run'
        | 'suite'
        | 'team'
      >(),
    subjectId: p.uuid(),
    pipelineId: idOrNull(),
    buildId: idOrNull(),
    jobId: idOrNull(),
    agentId: idOrNull(),
    type: p.text(),
    fromState: textOrNull(),
    toState: textOrNull(),
    reason: textOrNull(),
    actorType: p.text().$type<EventActorType>(),
    actorId: idOrNull(),
    data: json<JsonObject>().nullable(),
    /** Order within the build (or within the subject, where there is no build). */
    sequence: p.integer(),
    requestId: textOrNull(),
    createdAt: at(),
    /**
     * Assigned by the database at the insert, under the subject's row lock: in order for each subject, with gaps while
     * transactions run.
     */
    ordinal: p.bigint('number').autoincrement(),
    /**
     * The place in the order that streams follow, given once the event is committed; null until then
     * (docs/decisions/0004).
     */
    position: p.bigint('number').nullable(),
  },
});
