import type { NewRow } from '../entities/database.js';
import { storedName } from './row-conversion.js';

// Columns and their types of what every command may record: statements name them in full.

/** An event as it is recorded; the statement that writes it numbers it. */
export type EventDraft = Omit<NewRow<'events'>, 'sequence' | 'ordinal' | 'position'>;

export const eventColumns = columns({
  id: 'uuid',
  organizationId: 'uuid',
  subject: 'text',
  subjectId: 'uuid',
  pipelineId: 'uuid',
  buildId: 'uuid',
  jobId: 'uuid',
  agentId: 'uuid',
  type: 'text',
  fromState: 'text',
  toState: 'text',
  reason: 'text',
  actorType: 'text',
  actorId: 'uuid',
  data: 'jsonb',
  requestId: 'text',
  createdAt: 'timestamptz',
} satisfies { [Name in keyof Required<EventDraft>]: string });

export const outboxColumns = columns({
  id: 'uuid',
  organizationId: 'uuid',
  topic: 'text',
  payload: 'jsonb',
  availableAt: 'timestamptz',
  createdAt: 'timestamptz',
});

export const auditColumns = columns({
  id: 'uuid',
  organizationId: 'uuid',
  operation: 'text',
  actorType: 'text',
  actorId: 'uuid',
  apiTokenId: 'uuid',
  subject: 'text',
  subjectId: 'uuid',
  subjectName: 'text',
  data: 'jsonb',
  requestId: 'text',
  ipAddress: 'text',
  userAgent: 'text',
  createdAt: 'timestamptz',
} satisfies { [Name in keyof Required<NewRow<'audit_events'>>]: string });

function columns(types: Record<string, string>) {
  const names = Object.keys(types);
  return {
    names,
    stored: names.map(storedName).join(', '),
    typed: Object.entries(types)
      .map(([name, type]) => `${storedName(name)} ${type}`)
      .join(', '),
  };
}
