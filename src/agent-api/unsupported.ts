import type { RequestHandler } from 'express';

/**
 * Answers 404 with the words by which agents know that the server has no such thing, instead of that a path is wrong.
 */
const refuse =
  (message: string): RequestHandler =>
  (_request, response) => {
    response.status(404).json({ message });
  };

/** Parts of the protocol that agents use when configured to, and that this server does not have. */
export const unsupported: readonly { path: string; handler: RequestHandler }[] = [
  // Agents take a missing registry for "no caching here", and go on.
  { path: '/cache_registries/*rest', handler: refuse('Cache registry not found') },
];
