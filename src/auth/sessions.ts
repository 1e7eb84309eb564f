import { sql } from 'kysely';
import { compiled } from '../database/compiled.js';
import { limits } from '../domain/limits/limits.js';
import { scopes } from '../domain/organizations/scopes.js';
import { countsInSession, type SignInMethod, type SsoMode } from '../domain/organizations/sso-mode.js';
import { Problem } from '../domain/problem.js';
import type { Db } from '../entities/database.js';
import type { OrganizationRole, UserActor } from './actor.js';
import { hashToken, newToken } from './secrets.js';

const minute = 60_000;
const day = 24 * 60 * minute;
const everyScope: ReadonlySet<string> = new Set(scopes);

interface Facts {
  db: Db;
  now: Date;
}

interface SessionFacts extends Facts {
  /** Whether the installation has a single sign-on provider. */
  singleSignOn: boolean;
}

/** A session as its token finds it. */
export interface FoundSession {
  actor: UserActor & { sessionId: string };
  /** How the person signed in. */
  method: SignInMethod;
  /** Hash of the presented token. */
  presented: string;
  /** Whether the presented token is the one before the last rotation. */
  outdated: boolean;
  /** When the token before ends; null if there is none, or if the browser may not have got the current one. */
  previousExpiresAt: Date | null;
  hasPrevious: boolean;
  rotatedAt: Date;
  expiresAt: Date;
}

interface SessionByToken {
  id: string;
  userId: string;
  method: SignInMethod;
  tokenHash: string;
  previousTokenHash: string | null;
  previousExpiresAt: Date | null;
  rotatedAt: Date;
  expiresAt: Date;
  roles: [string, OrganizationRole, SsoMode][] | null;
}

/** Returns the time such that sessions whose last use was before it have expired. */
export const idleSince = (now: Date): Date => new Date(now.getTime() - limits.sessionIdleDays * day);

/** When a session that begins now ends at the latest. */
export const sessionEnd = (now: Date): Date => new Date(now.getTime() + limits.sessionDays * day);

/** A new session token: 256 random bits. */
export const newSessionToken = (): string => newToken('', 32);

const columns = ['s.id', 's.userId', 's.method', 's.tokenHash', 's.previousTokenHash', 's.previousExpiresAt'] as const;
const times = ['s.rotatedAt', 's.expiresAt'] as const;
const rolesOfUser = sql`(select json_agg(json_build_array(m.organization_id, m.role, m.sso_mode)) from
  organization_members m where m.user_id = s.user_id)`;

const sessionByHash = compiled<{ hash: string; now: Date; idle: Date }, SessionByToken>(
  'session.by-hash',
  (db, { hash, now, idle }) =>
    db
      .selectFrom('sessions as s')
      .select([...columns, ...times])
      .select(rolesOfUser.as('roles'))
      .where((eb) => eb.or([eb('s.tokenHash', '=', hash), eb('s.previousTokenHash', '=', hash)]))
      .where('s.expiresAt', '>', now)
      .where('s.lastUsedAt', '>', idle),
);

const sessionById = compiled<{ id: string; now: Date; idle: Date }, SessionByToken>(
  'session.by-id',
  (db, { id, now, idle }) =>
    db
      .selectFrom('sessions as s')
      .select([...columns, ...times])
      .select(rolesOfUser.as('roles'))
      .where('s.id', '=', id)
      .where('s.expiresAt', '>', now)
      .where('s.lastUsedAt', '>', idle),
);

const signedOut = () => new Problem('unauthenticated', 'The session is over. Please sign in again.');

function actorOf({ id, userId, method, roles }: SessionByToken, singleSignOn: boolean): FoundSession['actor'] {
  const memberships = (roles ?? []).filter(([, , mode]) => countsInSession(mode, { method, singleSignOn }));
  return {
    kind: 'user',
    userId,
    apiTokenId: null,
    sessionId: id,
    scopes: everyScope,
    organizations: 'all',
    roles: new Map(memberships.map(([organizationId, role]) => [organizationId, role])),
  };
}

/**
 * The person behind a session token, with one statement, with the memberships that count in it. Throws
 * `unauthenticated` alike for unknown, revoked, expired and idle sessions.
 */
export async function findSession({ db, now, singleSignOn }: SessionFacts, token: string): Promise<FoundSession> {
  const presented = hashToken(token);
  const [row] = await sessionByHash(db, { hash: presented, now, idle: idleSince(now) });
  const outdated = row?.tokenHash !== presented;
  if (!row || (outdated && row.previousExpiresAt !== null && row.previousExpiresAt <= now)) throw signedOut();
  const { method, previousExpiresAt, rotatedAt, expiresAt } = row;
  const hasPrevious = row.previousTokenHash !== null;
  const actor = actorOf(row, singleSignOn);
  return { actor, method, presented, outdated, previousExpiresAt, hasPrevious, rotatedAt, expiresAt };
}

/**
 * The person behind a session that was found before, with their current rights; throws `unauthenticated` once it is
 * over.
 */
export async function findSessionAgain(
  { db, now, singleSignOn }: SessionFacts,
  id: string,
): Promise<FoundSession['actor']> {
  const [row] = await sessionById(db, { id, now, idle: idleSince(now) });
  if (!row) throw signedOut();
  return actorOf(row, singleSignOn);
}

/**
 * Gives a session its next token where it is time; returns it, or null where the presented one stays. The token before
 * stays good until the browser has shown that it got the next one, and for the requests that were under way then: a
 * reply that is lost signs nobody out.
 */
export async function rotateSession({ db, now }: Facts, session: FoundSession): Promise<string | null> {
  const { presented, outdated, hasPrevious, previousExpiresAt, rotatedAt } = session;
  const age = now.getTime() - rotatedAt.getTime();
  const id = session.actor.sessionId;
  if (outdated) {
    // The browser still sends the token before, long after the next one was handed out: that reply was lost.
    if (previousExpiresAt !== null || age < limits.sessionRotationGraceSeconds * 1000) return null;
    return replaceToken({ db, now }, id, rotatedAt, { rotatedAt: now });
  }
  if (hasPrevious && previousExpiresAt === null) {
    const end = new Date(now.getTime() + limits.sessionRotationGraceSeconds * 1000);
    await db
      .updateTable('sessions')
      .set({ previousExpiresAt: end })
      .where('id', '=', id)
      .where('tokenHash', '=', presented)
      .execute();
    return null;
  }
  if (age < limits.sessionRotationMinutes * minute) return null;
  return replaceToken({ db, now }, id, rotatedAt, {
    previousTokenHash: presented,
    previousExpiresAt: null,
    rotatedAt: now,
  });
}

/** Of requests that arrive together one replaces the token; the others go on with the one they have. */
async function replaceToken(
  { db }: Facts,
  id: string,
  formerRotation: Date,
  values: { previousTokenHash?: string; previousExpiresAt?: null; rotatedAt: Date },
): Promise<string | null> {
  const token = newSessionToken();
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ ...values, tokenHash: hashToken(token) })
    .where('id', '=', id)
    .where('rotatedAt', '=', formerRotation)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n ? token : null;
}
