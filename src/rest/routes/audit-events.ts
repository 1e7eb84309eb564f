import { getAuditEvent } from '../../operations/audit-events/get.js';
import { listAuditEvents } from '../../operations/audit-events/list.js';
import { readStretch } from '../cursor-page.js';
import { presentAuditEvent } from '../present/audit-event.js';
import { listRoute, type QueryParameter, type Route, route } from '../route.js';
import { inOrganization } from './addresses.js';

const all = '/organizations/{org}/audit_events';

const filters: readonly QueryParameter[] = [
  { name: 'type', type: 'list', about: 'Types such as `PIPELINE_UPDATED`.' },
  { name: 'operation', type: 'list', about: 'Operations such as `pipeline.archive`; what has no type of its own is found by them.' },
  { name: 'actor', type: 'list', about: 'Ids of people.' },
  { name: 'actor_type', type: 'list', about: 'USER or AGENT.' },
  { name: 'subject', type: 'list', about: 'Ids of the things it was done to.' },
  { name: 'subject_type', type: 'list', about: 'Kinds of thing such as `CLUSTER_QUEUE`.' },
  { name: 'occurred_at_from', type: 'time', about: 'At or after this time.' },
  { name: 'occurred_at_to', type: 'time', about: 'Before this time.' },
];

/** The audit log of an organization (rest-facts 3.7); the filters are ours. */
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
    reply: { kind: 'object', status: 200, schema: 'AuditEvent', present: (context, { auditEvent }) => presentAuditEvent(context, auditEvent) },
  }),
];
