import { type RequestHandler, Router } from 'express';
import { type PageKind, pageKinds, reservedWords } from './pages.js';
import { pageHeaders, renderPage } from './page.js';

/** Form of slugs, ids and numbers; other segments match no page. */
const word = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/;

/** The plain pages behind `GET /` and every `web_url`; they read no data and show only the names in the URL. */
export function consoleRouter(options: { baseUrl: string }): Router {
  const router = Router();
  router.get('/', (_request, response) => {
    response.set(pageHeaders).send(
      renderPage({
        title: 'Welcome',
        heading: 'Welcome to Slipway',
        text: 'Pipelines, builds and logs are available through the GraphQL API, the REST API and the slipway program.',
        api: `${options.baseUrl}/v2/organizations`,
      }),
    );
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
