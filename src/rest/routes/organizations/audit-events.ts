import { auditEventTypes, auditSubjectTypes } from '../../../domain/organizations/audit/wire-words.js';
import { getAuditEvent } from '../../../operations/organizations/audit-events/get.js';
import { listAuditEvents } from '../../../operations/organizations/audit-events/list.js';
import { readStretch } from '../../replies/cursor-page.js';
import { presentAuditEvent } from '../../present/organizations/audit-event.js';
import { listRoute, type QueryParameter, type Route, route } from '../../route.js';
import { inOrganization } from '../addresses.js';

const all = '/organizations/{org}/audit_events';

const upper = (words: readonly string[]) => words.map((word) => word.toUpperCase());

const filters: readonly QueryParameter[] = [
  {
    name: 'type',
    type: 'list',
    values: upper(auditEventTypes),
    description: 'Only events of these types, such as `PIPELINE_UPDATED`; small letters are taken too.',
  },
  {
    name: 'operation',
    type: 'list',
    description:
      'Only events of these operations, such as `pipeline.archive`; finds also events that have no type of their own.',
  },
  { name: 'actor', type: 'list', description: 'Only events caused by the users with these IDs.' },
  {
    name: 'actor_type',
    type: 'list',
    values: ['USER', 'AGENT'],
    description: 'Only events caused by actors of these types: `USER` or `AGENT`.',
  },
  { name: 'subject', type: 'list', description: 'Only events about the subjects with these IDs.' },
  {
    name: 'subject_type',
    type: 'list',
    values: upper(auditSubjectTypes),
    description: 'Only events about subjects of these types, such as `CLUSTER_QUEUE`.',
  },
  { name: 'occurred_at_from', type: 'time', description: 'Only events at or after this time.' },
  { name: 'occurred_at_to', type: 'time', description: 'Only events before this time.' },
];

/** The audit log of an organization; the filters are ours. */
export const auditEventRoutes: Route[] = [
  listRoute(listAuditEvents, {
    method: 'get',
    path: all,
    query: filters,
    input: (request) => ({
      ...inOrganization(request),
      types: request.list('type'),
      operations: request.list('operation'),
      actors: request.list('actor'),
      actorTypes: request.list('actor_type'),
      subjects: request.list('subject'),
      subjectTypes: request.list('subject_type'),
      occurredFrom: request.time('occurred_at_from'),
      occurredTo: request.time('occurred_at_to'),
      paging: readStretch(request),
    }),
    reply: { kind: 'cursor', schema: 'AuditEvent', present: presentAuditEvent },
  }),
  route(getAuditEvent, {
    method: 'get',
    path: `${all}/{event}`,
    input: (request) => ({ auditEvent: { organization: request.param('org'), id: request.param('event') } }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'AuditEvent',
      present: (context, { auditEvent }) => presentAuditEvent(context, auditEvent),
    },
  }),
];
