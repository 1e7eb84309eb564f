import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { UserActor } from '../../auth/actor.js';
import { authenticateUser } from '../../auth/authenticate.js';
import type { RequestFacts } from '../../request/context.js';
import { Problem } from '../../domain/problem.js';
import { authenticateToken } from '../../http/authenticate-token.js';
import {
  authenticateBrowser,
  authenticateSessionAgain,
  refreshSession,
  sessionTokenOf,
} from '../../http/browser-session.js';
import { isFromOwnPage } from '../../http/own-origin.js';
import type { Services } from '../../services/services.js';
import type { AllowedDocuments } from './request-body.js';

/** What a caller authenticates with, again for every message of a subscription. */
export type Credential = { kind: 'header'; authorization: string } | { kind: 'session'; sessionId: string };

/** Documents that a caller may send; a session of the console may send the console's documents too. */
export const allowedTo = ({ persistedDocuments }: Services, { kind }: Credential): AllowedDocuments => ({
  documents: persistedDocuments,
  session: kind === 'session',
});

export interface Caller {
  actor: UserActor;
  credential: Credential;
}

/**
 * Returns the user behind a request: that of the API token in its Authorization header or, without that header, of the
 * console's session cookie, which counts only on requests from our own pages. Throws `unauthenticated` for any other
 * caller, `forbidden` for a page of another site and `unsupported_media_type` for what a form could send.
 */
export async function authenticate(services: Services, request: Request, response: Response): Promise<Caller> {
  const { authorization } = request.headers;
  if (holdsToken(authorization) || sessionTokenOf(services, request) === null)
    return byToken(services, request, authorization);
  if (request.method === 'POST' && !request.is('application/json'))
    throw new Problem('unsupported_media_type', 'The console sends application/json');
  const { caller, session } = await bySession(services, request);
  await refreshSession(services, response, session);
  return caller;
}

/** Does the same for a WebSocket handshake; `authorization` is from the connection's parameters or the header. */
export async function authenticateSocket(
  services: Services,
  request: IncomingMessage,
  authorization: string | undefined,
): Promise<Caller> {
  if (holdsToken(authorization) || sessionTokenOf(services, request) === null)
    return byToken(services, request, authorization);
  return (await bySession(services, request)).caller;
}

/** Returns the user behind a credential as of now; throws `unauthenticated` once it is revoked or over. */
export function authenticateAgain(
  services: Services,
  credential: Credential,
  facts: Pick<RequestFacts, 'ipAddress' | 'userAgent'>,
): Promise<UserActor> {
  if (credential.kind === 'session') return authenticateSessionAgain(services, credential.sessionId, facts);
  const { ipAddress = null } = facts;
  return authenticateUser({ db: services.db, now: services.clock.now(), ipAddress }, credential.authorization);
}

/** Whether a header names a credential. GraphiQL sends `Bearer` alone until a token is typed behind it. */
const holdsToken = (authorization: string | undefined): boolean => !/^\s*(bearer)?\s*$/i.test(authorization ?? '');

async function byToken(services: Services, request: IncomingMessage, authorization = ''): Promise<Caller> {
  const actor = await authenticateToken(services, request, authorization);
  return { actor, credential: { kind: 'header', authorization } };
}

async function bySession(services: Services, request: IncomingMessage) {
  if (!isFromOwnPage(services, request))
    throw new Problem('forbidden', 'The session of the console is good for requests from its own pages only');
  const session = await authenticateBrowser(services, request);
  const { actor } = session;
  const caller: Caller = { actor, credential: { kind: 'session', sessionId: actor.sessionId } };
  return { caller, session };
}
