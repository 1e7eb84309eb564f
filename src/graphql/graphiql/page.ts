import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import { exampleOperations } from './examples.js';

interface Page {
  html: Buffer;
  gzipped: Buffer;
  policy: string;
  etag: string;
}

/** Not a literal in the import, because its types would add a browser's types to the whole program. */
const library: string = '@graphql-yoga/render-graphiql';

const headers = JSON.stringify({ Authorization: 'Bearer ' }, null, 2);

/**
 * The page with everything in it: editor, fonts and workers come inside, nothing is fetched but answers from this
 * origin.
 */
async function makePage(): Promise<Page> {
  const { renderGraphiQL } = (await import(library)) as { renderGraphiQL(options: object): string };
  const text = renderGraphiQL({
    title: 'Slipway',
    endpoint: '/graphql',
    headers,
    defaultTabs: exampleOperations.map((query) => ({ query, headers })),
    // A token in the browser's storage would outlive the page, and every script of the origin could read it.
    shouldPersistHeaders: false,
  });
  const script = text.slice(text.indexOf('<script>') + '<script>'.length, text.lastIndexOf('</script>'));
  const html = Buffer.from(text);
  const policy = [
    `default-src 'none'`,
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    `worker-src blob:`,
    `style-src 'unsafe-inline'`,
    `font-src data:`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
  return {
    html,
    gzipped: await promisify(gzip)(html),
    policy,
    etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`,
  };
}

let page: Promise<Page> | null = null;

/** Whether a request comes from the address bar of a browser: programs name JSON, or nothing. */
export function wantsPage(request: Request): boolean {
  return (
    (request.headers.accept?.includes('text/html') ?? false) &&
    request.accepts(['application/json', 'text/html']) === 'text/html'
  );
}

/** GraphiQL, made at the first visit and kept: it is megabytes that most processes never need. */
export const graphiql: RequestHandler = async (request, response) => {
  page ??= makePage().catch((error: unknown) => {
    page = null;
    throw error;
  });
  const { html, gzipped, policy, etag } = await page;
  response.set({
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private, no-cache',
    ETag: etag,
    Vary: 'Accept, Accept-Encoding',
  });
  if (request.headers['if-none-match'] === etag) {
    response.status(304).end();
    return;
  }
  response.type('html');
  if (request.acceptsEncodings(['gzip', 'identity']) === 'gzip') response.set('Content-Encoding', 'gzip').end(gzipped);
  else response.end(html);
};
