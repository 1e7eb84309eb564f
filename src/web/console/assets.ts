import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';

/** Names under /assets hold a hash of their content, and so never change. */
const forGood = 'public, max-age=31536000, immutable';
const name = /^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/;
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * The console's files: `/assets/…`, compressed ahead where the build left `.br` and `.gz` beside them, and the few that
 * browsers look for at the root, such as `/favicon.svg` and a service worker.
 */
export function assetRouter(folder: string): Router {
  const router = Router();
  const assets = join(folder, 'assets');
  router.get('/assets/*path', (request, response, next) => {
    const path = (request.params as unknown as { path: string[] }).path;
    // What the build compressed is not offered by that name, and no name leads out of the folder.
    if (!path.every((part) => name.test(part)) || /\.(br|gz)$/.test(path.at(-1) ?? '')) return next();
    response.set({ 'Cache-Control': forGood, 'X-Content-Type-Options': 'nosniff' }).vary('Accept-Encoding');
    sendCompressed(assets, path.join('/'))(request, response, next);
  });
  router.get('/assets/*path', (_request, response) => {
    // Of an older version, perhaps: what is absent now may be there after the next start.
    response.removeHeader('Cache-Control');
    response.status(404).json({ message: 'Not Found' });
  });
  router.get('/:file', (request, response, next) => {
    const { file } = request.params;
    if (!name.test(file) || !file.includes('.') || /^index\.|\.(html|br|gz)$/.test(file)) return next();
    response.set({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' });
    response.sendFile(file, { root: folder, cacheControl: false }, (error) => {
      if (!error || response.headersSent) return;
      response.removeHeader('Cache-Control');
      next();
    });
  });
  return router;
}

/** Sends a file in the best encoding that is there and that the client accepts. */
function sendCompressed(root: string, path: string): RequestHandler {
  return (request, response, next) => {
    const accepted = request.headers['accept-encoding'] ?? '';
    const [encoding, extension] = encodings.find(
      ([word, suffix]) =>
        new RegExp(`\\b${word}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted) &&
        existsSync(join(root, path + suffix)),
    ) ?? [null, ''];
    if (encoding !== null) response.type(path.slice(path.lastIndexOf('.'))).set('Content-Encoding', encoding);
    response.sendFile(path + extension, { root, cacheControl: false }, (error) => {
      if (!error || response.headersSent) return;
      response.removeHeader('Content-Encoding');
      response.removeHeader('Content-Type');
      next();
    });
  };
}
