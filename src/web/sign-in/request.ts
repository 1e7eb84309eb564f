import type { Request, Response } from 'express';
import { Context } from '../../request/context.js';
import { createSession } from '../../operations/organizations/sessions/create.js';
import { perform } from '../../core/operation.js';
import { limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';
import { readBody } from '../../http/body.js';
import { originOf } from '../../http/client-address.js';
import { sessionTokenOf, setSessionCookie } from '../../http/browser-session.js';
import { isFromOwnPage } from '../../http/own-origin.js';
import type { Services } from '../../services/services.js';
import type { SignInMethod } from '../../domain/organizations/sso-mode.js';

/** The context of a request of somebody who is not signed in yet: what they present is checked by the operation. */
export function signInContext(services: Services, request: Request, response: Response): Context {
  return new Context(services, {
    actor: { kind: 'system', cause: 'sign-in' },
    surface: 'system',
    requestId: String(response.getHeader('X-Request-Id') ?? ''),
    ...originOf(request, services.trustsProxy),
  });
}

/**
 * Whether a page of another site sent the request, which could sign somebody in to a foreign account or out of their
 * own. A program, which sends neither of the headers that browsers do, is none.
 */
export function isFromForeignPage(services: Services, request: Request): boolean {
  const byBrowser = request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined;
  return byBrowser && !isFromOwnPage(services, request);
}

/** Reads the fields of a form; throws `unsupported_media_type` for a body of another kind. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  if (!request.is('application/x-www-form-urlencoded'))
    throw new Problem('unsupported_media_type', 'The form is sent as application/x-www-form-urlencoded');
  return new URLSearchParams((await readBody(request, { bytes: limits.signInFormBytes })).toString('utf8'));
}

/** Begins the session of a user whose identity was proven, in place of the one that the browser had. */
export async function beginSession(
  context: Context,
  request: Request,
  response: Response,
  { userId, method }: { userId: string; method: SignInMethod },
): Promise<void> {
  const { services } = context;
  const { token, session } = await perform(createSession, context, {
    userId,
    method,
    ipAddress: context.request.ipAddress ?? null,
    userAgent: context.request.userAgent ?? null,
    formerToken: sessionTokenOf(services, request),
  });
  setSessionCookie(services, response, token, session.expiresAt);
  services.log.info({ request_id: context.request.requestId, user_id: userId, method }, 'signed in');
}
