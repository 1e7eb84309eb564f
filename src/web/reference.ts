import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';

/** The viewer's files beside the built program, or in their package: nothing is loaded from another host. */
const built = fileURLToPath(new URL('../reference-viewer/', import.meta.url));
const viewer = existsSync(built)
  ? built
  : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

const page =
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>REST API ` +
  `· Slipway</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png"><link rel="stylesheet" ` +
  `href="/docs/swagger-ui.css"></head>
<body><div id="reference"></div><noscript>The same is at <a href="/v2/openapi.json">/v2/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>
`;

/** `validatorUrl: null`: the viewer would send the document to a validator of its maker. */
const start =
  `const found = (operation, words) => {
  const spec = operation.get('operation');
  const text = [operation.get('path'), operation.get('method'), spec.get('operationId'), ` +
  `spec.get('description')].join(' ');
  return words.every((word) => text.toLowerCase().includes(word));
};
// The viewer itself searches the names of tags alone.
const search = (tags, phrase) => {
  const words = phrase.toLowerCase().split(/\\s+/).filter(Boolean);
  const narrowed = tags.map((tag) => tag.set('operations', tag.get('operations').filter((each) => found(each, words))));
  return narrowed.filter((tag) => tag.get('operations').size > 0);
};
// Requests go to the host that shows the page, by whatever name it is reached: the page may ask no other.
const show = (spec) => SwaggerUIBundle({
  spec: { ...spec, servers: [{ url: location.origin }] }, dom_id: '#reference', validatorUrl: null, deepLinking: true,
  docExpansion: 'none', tryItOutEnabled: false, filter: true, plugins: [{ fn: { opsFilter: search } }],
});
fetch('/v2/openapi.json').then((reply) => reply.json()).then(show);
`;

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/**
 * `/docs`: the REST reference for people, drawn in the browser from `/v2/openapi.json`. Every byte is our own host's.
 */
export function referenceRouter(): Router {
  const router = Router();
  router.use((_request, response, next) => {
    response.set(headers);
    next();
  });
  router.get('/', (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('html').send(page);
  });
  router.get('/start.js', (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('text/javascript').send(start);
  });
  for (const file of files) {
    router.get(`/${file}`, (_request, response, next) =>
      response.sendFile(file, { root: viewer, maxAge: '1 day' }, (error) => (error ? next(error) : undefined)),
    );
  }
  return router;
}
