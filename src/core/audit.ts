import { actorReference } from '../auth/actor.js';
import type { Context } from '../request/context.js';
import type { NewRow } from '../entities/database.js';

/** Records the audit row of a privileged change: operation, actor, address and subject. */
export function recordAudit(context: Context, operation: string, things: readonly unknown[]): void {
  const { actor } = context;
  if (actor.kind !== 'user') return;
  const noun = operation.slice(0, operation.indexOf('.')).replace('access-token', 'token');
  const organization = named('organization', things);
  const own = thingOf(noun, things);
  // Some operations on an organization have the noun of the setting they change.
  const whole = organization ? { noun: 'organization', ...organization } : { noun, id: null, name: null };
  const subject = own ? { noun, ...own } : whole;
  context.recorder.audit.push({
    organizationId: organization?.id ?? null,
    operation,
    ...actorReference(actor),
    apiTokenId: actor.apiTokenId,
    subject: subject.noun,
    subjectId: subject.id,
    subjectName: subject.name,
    ...circumstances(context),
  });
}

/** A change by somebody whom the change itself proves to be this user, before there is a session or token. */
export interface ProvenChange {
  /** Null: a change of what is the user's own. */
  organizationId: string | null;
  operation: string;
  userId: string;
  subject: { noun: string; id: string; name: string | null };
}

/** Records the audit row of a change whose request has no user as its actor, such as one of the sign-in pages. */
export function recordProvenAudit(context: Context, change: ProvenChange): void {
  const { organizationId, operation, userId, subject } = change;
  context.recorder.audit.push({
    organizationId,
    operation,
    actorType: 'user',
    actorId: userId,
    apiTokenId: null,
    subject: subject.noun,
    subjectId: subject.id,
    subjectName: subject.name,
    ...circumstances(context),
  });
}

/** Records the audit row of a change that the server made by itself, such as disabling a service that is broken. */
export function recordSystemAudit(context: Context, change: Omit<ProvenChange, 'userId'>): void {
  const { organizationId, operation, subject } = change;
  context.recorder.audit.push({
    organizationId,
    operation,
    actorType: 'system',
    actorId: null,
    apiTokenId: null,
    subject: subject.noun,
    subjectId: subject.id,
    subjectName: subject.name,
    ...circumstances(context),
  });
}

function circumstances(context: Context) {
  const { request } = context;
  return {
    id: context.newId(),
    data: null,
    requestId: request.requestId,
    ipAddress: request.ipAddress ?? null,
    userAgent: request.userAgent?.slice(0, 1000) ?? null,
    createdAt: context.now,
  } satisfies Partial<NewRow<'audit_events'>>;
}

interface Thing {
  id: string;
  /** Display name of the subject, if it has one; stored because the subject may be deleted when the log is read. */
  name: string | null;
}

/**
 * Finds the operation's subject in its output, else in its input; some subjects are named by the last word of the
 * operation's noun.
 */
function thingOf(noun: string, things: readonly unknown[]): Thing | null {
  const member = noun.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return named(member, things) ?? named(noun.slice(noun.lastIndexOf('-') + 1), things);
}

function named(member: string, things: readonly unknown[]): Thing | null {
  for (const thing of things) {
    const entry: unknown = isRecord(thing) ? thing[member] : undefined;
    if (!isRecord(entry) || typeof entry['id'] !== 'string') continue;
    const name = ['name', 'key', 'label', 'description']
      .map((each) => entry[each])
      .find((each) => typeof each === 'string');
    return { id: entry['id'], name: typeof name === 'string' ? name : null };
  }
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
