import { defineEntity, p } from '@mikro-orm/core';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { at, idOrNull, json, textOrNull } from '../columns.js';

/** One row for each privileged change that was carried out; `operation` is the operation's name. */
export const AuditEventSchema = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_events',
  indexes: [
    // Lists are in the order of time; each narrowing that finds few rows among many has an index in that order too.
    { properties: ['organizationId', 'createdAt', 'id'] },
    { properties: ['organizationId', 'operation', 'createdAt', 'id'] },
    { properties: ['organizationId', 'actorId', 'createdAt', 'id'] },
    { properties: ['organizationId', 'subjectId', 'createdAt', 'id'] },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: idOrNull(),
    operation: p.text(),
    actorType: p.text().$type<'user' | 'agent' | 'system'>(),
    actorId: idOrNull(),
    apiTokenId: idOrNull(),
    subject: textOrNull(),
    subjectId: idOrNull(),
    subjectName: textOrNull(),
    data: json<JsonObject>().nullable(),
    requestId: textOrNull(),
    ipAddress: textOrNull(),
    userAgent: textOrNull(),
    createdAt: at(),
  },
});
