import { actorReference } from '../auth/actor.js';
import type { Context } from '../context.js';

/** Writes the one audit row of a privileged change (I18): what was done, by whom, from where, to what. */
export async function writeAudit(context: Context, operation: string, things: readonly unknown[]): Promise<void> {
  const { actor, request } = context;
  if (actor.kind !== 'user') return;
  const noun = operation.slice(0, operation.indexOf('.')).replace('access-token', 'token');
  const organization = named('organization', things);
  const own = thingOf(noun, things);
  // What is done to an organization as a whole is sometimes named after what it is about.
  const subject = own ? { noun, ...own } : organization ? { noun: 'organization', ...organization } : { noun, id: null, name: null };
  await context.db
    .insertInto('audit_events')
    .values({
      id: context.newId(),
      organizationId: organization?.id ?? null,
      operation,
      ...actorReference(actor),
      apiTokenId: actor.apiTokenId,
      subject: subject.noun,
      subjectId: subject.id,
      subjectName: subject.name,
      data: null,
      requestId: request.requestId,
      ipAddress: request.ipAddress ?? null,
      userAgent: request.userAgent?.slice(0, 1000) ?? null,
      createdAt: context.now,
    })
    .execute();
}

interface Thing {
  id: string;
  /** What people call it, as far as it has such a thing; kept because the thing may be gone when the log is read. */
  name: string | null;
}

/** The operation's own noun, from what it returned or else from what it was carried out on; subjects call some by their last word alone. */
function thingOf(noun: string, things: readonly unknown[]): Thing | null {
  const member = noun.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return named(member, things) ?? named(noun.slice(noun.lastIndexOf('-') + 1), things);
}

function named(member: string, things: readonly unknown[]): Thing | null {
  for (const thing of things) {
    const found: unknown = isRecord(thing) ? thing[member] : undefined;
    if (!isRecord(found) || typeof found['id'] !== 'string') continue;
    const name = ['name', 'key', 'label', 'description'].map((each) => found[each]).find((each) => typeof each === 'string');
    return { id: found['id'], name: typeof name === 'string' ? name : null };
  }
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
