import { type RequestHandler, Router } from 'express';
import { type PageKind, pageKinds, reservedWords } from './pages.js';
import { pageHeaders, renderPage } from './page.js';

/** What slugs, ids and numbers are made of; anything else names nothing. */
const word = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/;

/** The plain pages behind `GET /` and every `web_url`; a client of nothing: it shows what the URL says. */
export function consoleRouter(options: { baseUrl: string }): Router {
  const router = Router();
  router.get('/', (_request, response) => {
    response.set(pageHeaders).send(renderPage({ title: 'Welcome', text: 'Builds, jobs and logs are at hand through GraphQL, REST and the slipway program.', api: `${options.baseUrl}/v2` }));
  });
  for (const kind of pageKinds) router.get(kind.path, page(kind, options.baseUrl));
  return router;
}

function page(kind: PageKind, baseUrl: string): RequestHandler {
  return (request, response, next) => {
    const words = request.params as Record<string, string>;
    const named = Object.values(words).every((text) => word.test(text));
    // A file name such as robots.txt is no organization: slugs hold no dot.
    if (!named || reservedWords.has(words['organization'] ?? '') || words['organization']?.includes('.')) {
      next();
      return;
    }
    const api = kind.api?.(words);
    response.set(pageHeaders).send(renderPage({ title: kind.title(words), ...(api ? { api: baseUrl + api } : {}) }));
  };
}
