import type { Context } from '../../../request/context.js';
import { forbidden } from '../../../domain/problem.js';
import type { SessionRow, UserRow } from '../../../entities/database.js';
import type { Subject } from '../../../core/subject.js';

/** Columns of a session without the hashes of its tokens. */
export const sessionColumns = [
  'id',
  'userId',
  'method',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'ipAddress',
  'userAgent',
] as const;

/** The person behind a session of the console. */
export interface SignedInSubject extends Subject {
  user: UserRow;
  /** ID of the session of the request. */
  sessionId: string;
}

/**
 * Finds the person who is signed in to the console. Null for callers that are no user; throws `forbidden` for API
 * tokens: one that leaks must not make others, nor end the sessions of its owner.
 */
export async function findSignedIn(context: Context): Promise<SignedInSubject | null> {
  const { actor } = context;
  if (actor.kind !== 'user') return null;
  if (actor.sessionId === null)
    throw forbidden('This is done by people who are signed in to the console, not with an API token');
  const user = await context.load.user.load(actor.userId);
  return user && { user, sessionId: actor.sessionId };
}

/** A session with its user. */
export interface SessionSubject extends SignedInSubject {
  session: SessionRow;
}

/** Finds and locks a session of the person who is signed in, by its id. */
export async function lockOwnSession(context: Context, id: string | null): Promise<SessionSubject | null> {
  const subject = await findSignedIn(context);
  if (!subject || id === null) return null;
  const session = await context.db
    .selectFrom('sessions')
    .select(sessionColumns)
    .where('id', '=', id)
    .where('userId', '=', subject.user.id)
    .forUpdate()
    .executeTakeFirst();
  return session ? { ...subject, session } : null;
}
