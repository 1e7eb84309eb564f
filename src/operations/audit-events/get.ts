import { defineOperation } from '../operation.js';
import { type AuditEventSubject, auditEventInput, findAuditEvent } from './find-audit-event.js';

/** One privileged change of an organization (rest-facts 3.7, audit_events); administrators only. */
export const getAuditEvent = defineOperation({
  name: 'audit-event.get',
  summary: 'Returns an audit event.',
  kind: 'query',
  scope: 'read_audit_events',
  access: 'admin',
  input: auditEventInput,
  subject: findAuditEvent,
  run: async (_context, _input, subject: AuditEventSubject) => subject,
});
