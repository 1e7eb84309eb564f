import { defineEntity, p } from '@mikro-orm/core';
import type { JsonObject } from '../domain/steps/step.js';
import { at, idOrNull, json, textOrNull } from './columns.js';

export type EventActorType = 'user' | 'agent' | 'system';

/** Every state change of a build, job, agent, pipeline, cluster or organization: who, what, when, from, to, why (I4, I10). */
export const EventSchema = defineEntity({
  name: 'Event',
  tableName: 'events',
  indexes: [
    { properties: ['buildId', 'sequence'] },
    { properties: ['jobId', 'id'] },
    { properties: ['organizationId', 'id'] },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    subject: p.text().$type<'build' | 'job' | 'agent' | 'pipeline' | 'cluster' | 'organization'>(),
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
  },
});
