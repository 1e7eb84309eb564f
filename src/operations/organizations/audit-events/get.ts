import { defineOperation } from '../../../core/operation.js';
import {
  type AuditEventSubject,
  auditEventInput,
  findAuditEvent,
} from '../../../resources/organizations/audit-events/find-audit-event.js';

/** Returns one audit event of an organization; administrators only. */
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
