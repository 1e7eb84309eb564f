import { type Request, type RequestHandler, type Response, Router } from 'express';
import { seal, unseal } from '../../auth/sealed.js';
import { perform } from '../../core/operation.js';
import { limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';
import { clearCookie, readCookie, setCookie } from '../../http/browser-session.js';
import { problemStatuses } from '../../http/problem-reply.js';
import { queryOf } from '../../http/query.js';
import { admitUser } from '../../operations/organizations/sign-in/admit.js';
import { countAttempts } from '../../operations/organizations/sign-in/count-attempts.js';
import type { Services, SingleSignOn, SingleSignOnAttempt } from '../../services/services.js';
import { ProviderRefusal } from '../../services/source-providers.js';
import { sendRefusal } from './pages.js';
import { beginSession, signInContext } from './request.js';
import { localPath } from './return-to.js';

const cookie = 'single_sign_on';
const purpose = 'single-sign-on';

/** What the browser keeps, sealed, while its person is at the provider; so any replica can go on with the sign-in. */
interface Pending extends SingleSignOnAttempt {
  returnTo: string;
  /** Milliseconds since 1970. */
  until: number;
}

const callbackOf = ({ baseUrl }: Services): string => `${baseUrl}/login/oidc/callback`;

/** `/login/oidc`: to the OpenID Connect provider, and back at `/callback`. */
export function singleSignOnRouter(services: Services): Router {
  const router = Router();
  router.get('/', guarded(services, begin));
  router.get('/callback', guarded(services, finish));
  return router;
}

type Step = (services: Services, provider: SingleSignOn, request: Request, response: Response) => Promise<void>;

/** Answers refusals with a page, and requests without a configured provider as those to paths that do not exist. */
function guarded(services: Services, step: Step): RequestHandler {
  return async (request, response, next) => {
    if (!services.singleSignOn) return next();
    try {
      await perform(countAttempts, signInContext(services, request, response), {});
      await step(services, services.singleSignOn, request, response);
    } catch (error) {
      if (error instanceof Problem) {
        if (error.details.retryAfter !== undefined) response.set('Retry-After', String(error.details.retryAfter));
        return sendRefusal(response, problemStatuses[error.code], error.message);
      }
      if (!(error instanceof ProviderRefusal)) throw error;
      const fields = { request_id: response.getHeader('X-Request-Id'), reason: error.reason };
      services.log.warn(fields, 'single sign-on failed');
      sendRefusal(response, 502, 'The single sign-on provider did not confirm who you are. Please try again.');
    }
  };
}

const begin: Step = async (services, provider, request, response) => {
  const { url, attempt } = await provider.begin(callbackOf(services));
  const expires = new Date(services.clock.now().getTime() + limits.singleSignOnMinutes * 60_000);
  const pending: Pending = {
    ...attempt,
    returnTo: localPath(queryOf(request).get('return_to')),
    until: expires.getTime(),
  };
  const value = seal(services.secretKey, purpose, JSON.stringify(pending));
  setCookie(services, response, { name: cookie, value, expires });
  response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).redirect(302, url);
};

const finish: Step = async (services, provider, request, response) => {
  const pending = readPending(services, request);
  clearCookie(services, response, cookie);
  if (!pending)
    throw new Problem('gone', 'This sign-in took too long, or was begun in another browser. Please begin it again.');
  const query = queryOf(request);
  if (query.has('error'))
    throw new Problem('forbidden', 'The single sign-on provider refused the sign-in, or you stopped it there.');
  // The path and query as they came, at the address that the provider was told: a proxy may have changed the host.
  const identity = await provider.finish(`${callbackOf(services)}?${query}`, pending);
  const context = signInContext(services, request, response);
  const { user } = await perform(admitUser, context, identity);
  await beginSession(context, request, response, { userId: user.id, method: 'single_sign_on' });
  response.set('Cache-Control', 'no-store').redirect(303, pending.returnTo);
};

function readPending(services: Services, request: Request): Pending | null {
  const sealed = readCookie(services, request, cookie);
  const text = sealed === null ? null : unseal(services.secretKey, purpose, sealed);
  // Only this server can have sealed it.
  const pending = text === null ? null : (JSON.parse(text) as Pending);
  return pending !== null && pending.until > services.clock.now().getTime() ? pending : null;
}
