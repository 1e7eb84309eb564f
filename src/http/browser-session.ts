import type { IncomingMessage } from 'node:http';
import type { CookieOptions, Response } from 'express';
import type { UserActor } from '../auth/actor.js';
import { findSession, findSessionAgain, type FoundSession, rotateSession } from '../auth/sessions.js';
import { Problem } from '../domain/problem.js';
import type { Services } from '../services/services.js';
import { originOf } from './client-address.js';
import { isSecure } from './own-origin.js';

/** `__Host-`: browsers take the cookie only from this host, over https, and for the whole of it. */
const nameOf = (name: string, secure: boolean): string => (secure ? `__Host-slipway_${name}` : `slipway_${name}`);

/** `Lax`: a link from another site, such as a commit status, finds its reader signed in. */
const optionsOf = (secure: boolean): CookieOptions => ({ httpOnly: true, sameSite: 'lax', path: '/', secure });

/** Returns the value of a cookie of ours; null if there is none. */
export function readCookie(services: Services, request: IncomingMessage, name: string): string | null {
  const prefix = `${nameOf(name, isSecure(services, request))}=`;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
  return value === undefined || value === '' ? null : value;
}

/** Sets a cookie of ours that ends at a time. */
export function setCookie(
  services: Services,
  response: Response,
  { name, value, expires }: { name: string; value: string; expires: Date },
): void {
  const secure = isSecure(services, response.req);
  response.cookie(nameOf(name, secure), value, { ...optionsOf(secure), expires });
}

export function clearCookie(services: Services, response: Response, name: string): void {
  const secure = isSecure(services, response.req);
  response.clearCookie(nameOf(name, secure), optionsOf(secure));
}

const cookie = 'session';
const tokenShape = /^[0-9a-f]{64}$/;

/** The session token of a request; null if it carries none. */
export function sessionTokenOf(services: Services, request: IncomingMessage): string | null {
  const token = readCookie(services, request, cookie);
  return token !== null && tokenShape.test(token) ? token : null;
}

export function setSessionCookie(services: Services, response: Response, token: string, expires: Date): void {
  setCookie(services, response, { name: cookie, value: token, expires });
}

export const clearSessionCookie = (services: Services, response: Response): void =>
  clearCookie(services, response, cookie);

const sessionFacts = ({ db, clock, singleSignOn }: Services) => ({
  db,
  now: clock.now(),
  singleSignOn: singleSignOn !== undefined,
});

/**
 * Returns the session of the browser that sent a request and records its use. Throws `unauthenticated` without a valid
 * session.
 */
export async function authenticateBrowser(services: Services, request: IncomingMessage): Promise<FoundSession> {
  const token = sessionTokenOf(services, request);
  if (token === null) throw new Problem('unauthenticated', 'Please sign in');
  const session = await findSession(sessionFacts(services), token);
  noteSessionUse(services, request, session.actor.sessionId);
  return session;
}

/** Gives the browser the next token of its session where it is time. Call it before the reply begins. */
export async function refreshSession(services: Services, response: Response, session: FoundSession): Promise<void> {
  const next = await rotateSession({ db: services.db, now: services.clock.now() }, session);
  if (next !== null && !response.headersSent) setSessionCookie(services, response, next, session.expiresAt);
}

/**
 * The person behind a session that a longer connection began with, as of now; throws `unauthenticated` once it is over.
 */
export async function authenticateSessionAgain(
  services: Services,
  sessionId: string,
  { ipAddress, userAgent }: { ipAddress?: string | null; userAgent?: string | null },
): Promise<UserActor> {
  const facts = sessionFacts(services);
  const actor = await findSessionAgain(facts, sessionId);
  services.credentialUses?.note('session', sessionId, {
    at: facts.now,
    ipAddress: ipAddress ?? null,
    userAgent: userAgent ?? null,
  });
  return actor;
}

function noteSessionUse(services: Services, request: IncomingMessage, sessionId: string): void {
  services.credentialUses?.note('session', sessionId, {
    at: services.clock.now(),
    ...originOf(request, services.trustsProxy),
  });
}
