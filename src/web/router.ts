import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { FoundSession } from '../auth/sessions.js';
import { Context } from '../request/context.js';
import { perform } from '../core/operation.js';
import { isReservedSlug } from '../domain/organizations/organization-slug.js';
import { Problem, type ProblemCode } from '../domain/problem.js';
import { authenticateBrowser, refreshSession } from '../http/browser-session.js';
import { originOf } from '../http/client-address.js';
import type { Services } from '../services/services.js';
import { type Address, addresses, type Lookup, ownPages, type Words } from './console/addresses.js';
import { assetRouter } from './console/assets.js';
import { ConsolePages } from './console/pages.js';
import { builtConsole, Shell, shellHeaders } from './console/shell.js';
import { type Page, pageHeaders, renderPage } from './page.js';
import { oauthRouter } from './oauth/router.js';
import { signInRouter } from './sign-in/router.js';
import { signInPath } from './sign-in/return-to.js';

/** Form of slugs, ids and numbers; other segments match no page. */
const word = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/;

/**
 * The console: sign-in, programs that ask for access, its files, and one page for `GET /` and every `web_url`, which
 * draws what it reads over GraphQL. People who are not signed in are sent to the sign-in page, whatever the address.
 */
export function consoleRouter(services: Services, { folder = builtConsole }: { folder?: string } = {}): Router {
  const router = Router();
  const shell = new Shell(folder);
  const pages = new ConsolePages(folder);
  router.use(signInRouter(services));
  router.use('/oauth', oauthRouter(services));
  router.use(assetRouter(folder));
  // A route for each path, so that logs and metrics have its template.
  for (const path of ownPages) {
    router.get(path, ownPage(services, shell, path));
    if (path !== '/') router.get(`${path}/*rest`, ownPage(services, shell, path));
  }
  for (const address of addresses) {
    router.get(address.path, page(services, shell, pages, address));
    router.get(`${address.path}/*rest`, page(services, shell, pages, address));
  }
  return router;
}

function ownPage(services: Services, shell: Shell, path: string): RequestHandler {
  return async (request, response, next) => {
    // `/organizations/acme` is a page about the organization.
    if (path === '/organizations' && request.path.replace(/\/+$/, '') !== path) return next();
    const session = await signedIn(services, request, response);
    if (!session) return;
    await refreshSession(services, response, session);
    await sendShell(shell, response, 200, {
      title: 'Welcome',
      heading: 'Welcome to Slipway',
      text: 'Pipelines, builds and logs are available through the GraphQL API, the REST API and the slipway program.',
      api: `${services.baseUrl}/v2/organizations`,
    });
  };
}

function page(services: Services, shell: Shell, pages: ConsolePages, address: Address): RequestHandler {
  return async (request, response, next) => {
    const { rest, ...params } = request.params as Record<string, string> & { rest?: string[] };
    const words: Words = params;
    const named = Object.values(words).every((text) => word.test(text));
    // A file name such as robots.txt is no organization: slugs hold no dot.
    const slug = words['organization'] ?? '';
    if (!named || isReservedSlug(slug) || slug.includes('.')) return next();
    const session = await signedIn(services, request, response);
    if (!session) return;
    // An address that only begins like one of ours is no page either.
    const below = rest?.filter((part) => part !== '');
    const isPage = below === undefined || (await pages.has(address.path, below));
    const isFound = isPage && (await isThere(services, request, response, session, address.find(words)));
    const status = isFound ? 200 : 404;
    await refreshSession(services, response, session);
    await sendShell(shell, response, status, {
      title: address.title(words),
      api: `${services.baseUrl}${address.api(words)}`,
    });
  };
}

/** The person who is signed in; sends anybody else to the sign-in page, from which they come back. */
async function signedIn(services: Services, request: Request, response: Response): Promise<FoundSession | null> {
  try {
    const session = await authenticateBrowser(services, request);
    response.locals['actor'] = session.actor;
    return session;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    response.set('Cache-Control', 'no-store').redirect(302, signInPath(request.originalUrl));
    return null;
  }
}

/** Refusals of a look-up that mean that there is nothing to see; others are faults of the moment. */
const absent: ReadonlySet<ProblemCode> = new Set(['not_found', 'forbidden', 'invalid', 'malformed']);

/** Whether the person may see what the page is about: hidden and absent things cannot be told apart. */
async function isThere(
  services: Services,
  request: Request,
  response: Response,
  { actor }: FoundSession,
  { operation, input }: Lookup,
): Promise<boolean> {
  const context = new Context(services, {
    actor,
    surface: 'web',
    requestId: String(response.getHeader('X-Request-Id') ?? ''),
    ...originOf(request, services.trustsProxy),
  });
  try {
    await perform(operation, context, input);
    return true;
  } catch (error) {
    if (error instanceof Problem && absent.has(error.code)) return false;
    throw error;
  }
}

/** Sends the console's page; without a built console a plain one, which says so. */
async function sendShell(shell: Shell, response: Response, status: number, plain: Page): Promise<void> {
  const html = await shell.html();
  if (html !== null) {
    response.status(status).set(shellHeaders).type('html').send(html);
    return;
  }
  const text = [plain.text, 'This installation was built without the console (npm run build).'];
  response
    .status(status)
    .set(pageHeaders)
    .send(renderPage({ ...plain, text: text.filter((part) => part !== undefined).join(' ') }));
}
