import { type Request, type RequestHandler, type Response, Router } from 'express';
import { Context } from '../../request/context.js';
import { perform } from '../../core/operation.js';
import { limits } from '../../domain/limits/limits.js';
import { isLoopbackHost } from '../../domain/loopback-host.js';
import { Problem } from '../../domain/problem.js';
import { authenticateBrowser, clearSessionCookie } from '../../http/browser-session.js';
import { originOf } from '../../http/client-address.js';
import { problemOf, problemStatuses } from '../../http/problem-reply.js';
import { queryOf } from '../../http/query.js';
import { revokeSession } from '../../operations/organizations/sessions/revoke.js';
import { checkUserPassword } from '../../operations/organizations/sign-in/check-password.js';
import { anywherePrefix } from '../../operations/organizations/sign-in/create-address.js';
import { takeSignInAddress } from '../../operations/organizations/sign-in/use-address.js';
import type { Services } from '../../services/services.js';
import { sendRefusal, sendSignInPage } from './pages.js';
import { invitationRouter } from './invitation.js';
import { beginSession, isFromForeignPage, readForm, signInContext } from './request.js';
import { localPath, singleSignOnPath } from './return-to.js';
import { singleSignOnRouter } from './single-sign-on.js';

const wrongCredentials = 'The email address or the password is not right.';
const foreignPage = 'This form was sent by a page of another site. Please use the one here.';

/** `/login`, `/logout` and `/invitations`: the sign-in of the console, pages of HTML that need no script. */
export function signInRouter(services: Services): Router {
  const router = Router();
  router.get('/login', showForm(services));
  router.post('/login', signIn(services));
  router.get('/login/once/:token', useAddress(services));
  router.post('/logout', signOut(services));
  router.use('/invitations', invitationRouter(services));
  router.use('/login/oidc', singleSignOnRouter(services));
  return router;
}

const returnTo = (request: Request): string => localPath(queryOf(request).get('return_to'));

/** The form again, or for the first time. */
function sendForm(
  services: Services,
  request: Request,
  response: Response,
  { status = 200, email = '', error = null }: { status?: number; email?: string; error?: string | null } = {},
): void {
  const singleSignOn = services.singleSignOn ? singleSignOnPath(returnTo(request)) : null;
  sendSignInPage(response, { status, email, error, singleSignOn });
}

const showForm =
  (services: Services): RequestHandler =>
  async (request, response) => {
    const signedIn = await authenticateBrowser(services, request).catch((error: unknown) => {
      if (error instanceof Problem) return null;
      throw error;
    });
    if (signedIn) response.redirect(302, returnTo(request));
    else sendForm(services, request, response);
  };

const signIn =
  (services: Services): RequestHandler =>
  async (request, response) => {
    if (isFromForeignPage(services, request)) return sendRefusal(response, 403, foreignPage);
    let email = '';
    try {
      const form = await readForm(request);
      email = form.get('email')?.trim() ?? '';
      const password = form.get('password') ?? '';
      if (email === '' || password === '')
        throw new Problem('not_applicable', 'Please enter your email address and your password.');
      const context = signInContext(services, request, response);
      const user = await perform(checkUserPassword, context, { email, password });
      await beginSession(context, request, response, { userId: user.id, method: 'password' });
    } catch (error) {
      const problem = problemOf(error);
      if (!problem) throw error;
      const { code, message, details } = problem;
      if (details.retryAfter !== undefined) response.set('Retry-After', String(details.retryAfter));
      services.log.info({ request_id: response.getHeader('X-Request-Id'), reason: code }, 'sign-in refused');
      return sendForm(services, request, response, {
        status: problemStatuses[code],
        email: email.slice(0, limits.personLength),
        // Text that no account can have is as wrong as any other.
        error: code === 'invalid' ? wrongCredentials : message,
      });
    }
    response.redirect(303, returnTo(request));
  };

/** Ends the session of the browser; without one there is nothing to end. */
const signOut =
  (services: Services): RequestHandler =>
  async (request, response) => {
    if (isFromForeignPage(services, request)) return sendRefusal(response, 403, foreignPage);
    try {
      const { actor } = await authenticateBrowser(services, request);
      const requestId = String(response.getHeader('X-Request-Id') ?? '');
      const origin = originOf(request, services.trustsProxy);
      const context = new Context(services, { actor, surface: 'web', requestId, ...origin });
      await perform(revokeSession, context, { id: actor.sessionId });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
    clearSessionCookie(services, response);
    response.redirect(303, '/login');
  };

/** Headers that proxies add. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Whether a request was sent on this machine to this machine, and not passed on by a proxy on it. */
function isLocal(request: Request): boolean {
  const host = `http://${request.headers.host ?? ''}`;
  return (
    isLoopbackHost(request.socket.remoteAddress ?? '') &&
    URL.canParse(host) &&
    isLoopbackHost(new URL(host).hostname.replace(/^\[(.*)\]$/, '$1')) &&
    proxyHeaders.every((name) => request.headers[name] === undefined)
  );
}

const useAddress =
  (services: Services): RequestHandler<{ token: string }> =>
  async (request, response) => {
    // HEAD shows what GET would answer, and must not use the address up.
    const isAllowed = request.params.token.startsWith(anywherePrefix) || isLocal(request);
    if (!isAllowed || request.method !== 'GET')
      return sendRefusal(response, 403, 'A one-time sign-in address is opened on the machine that printed it.');
    const context = signInContext(services, request as Request, response);
    try {
      const { userId } = await perform(takeSignInAddress, context, { token: request.params.token });
      await beginSession(context, request as Request, response, { userId, method: 'one_time_address' });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return sendRefusal(response, problemStatuses[error.code], error.message);
    }
    response.set('Referrer-Policy', 'no-referrer').redirect(303, '/');
  };
