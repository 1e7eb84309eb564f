import { actorReference } from '../auth/actor.js';
import type { Context } from '../context.js';

/** Writes the one audit row of a privileged change (I18): what was done, by whom, to what. */
export async function writeAudit(context: Context, operation: string, things: readonly unknown[]): Promise<void> {
  const { actor, request } = context;
  if (actor.kind !== 'user') return;
  const noun = operation.slice(0, operation.indexOf('.')).replace('access-token', 'token');
  const member = noun.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  await context.db
    .insertInto('audit_events')
    .values({
      id: context.newId(),
      organizationId: idOf('organization', things),
      operation,
      ...actorReference(actor),
      apiTokenId: actor.apiTokenId,
      subject: noun,
      subjectId: idOf(member, things),
      data: null,
      requestId: request.requestId,
      createdAt: context.now,
    })
    .execute();
}

/** The id of the operation's own noun, from what it returned or else from what it was carried out on. */
function idOf(noun: string, things: readonly unknown[]): string | null {
  const camelNoun = noun.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  for (const thing of things) {
    const named: unknown = isRecord(thing) ? thing[camelNoun] : undefined;
    const id: unknown = isRecord(named) ? named['id'] : undefined;
    if (typeof id === 'string') return id;
  }
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
