import { type Request, type Response, Router } from 'express';
import { Context } from '../request/context.js';
import type { Services } from '../services/services.js';
import { type BadgeStatus, badgeStyle, badgeTheme, sampleStatus } from '../domain/pipelines/badge.js';
import { Problem } from '../domain/problem.js';
import { readBadge } from '../operations/pipelines/badges/read.js';
import { perform } from '../core/operation.js';

/** Build status badges: `/{token}.svg`, `/{token}.json` and `/sample.svg`. */
export function badgeRouter(services: Services): Router {
  const router = Router();
  router.get('/sample.svg', async (request, response) => {
    await sendImage(request, response, { status: sampleStatus(parameter(request, 'status') ?? null), page: null });
  });
  router.get('/:token.svg', async (request, response) => {
    const badge = await badgeFor(services, request, response);
    if (badge) await sendImage(request, response, badge);
    else response.status(404).json({ message: 'Not Found' });
  });
  router.get('/:token.json', async (request, response) => {
    const badge = await badgeFor(services, request, response);
    if (badge) response.set(cacheHeaders).set('Access-Control-Allow-Origin', '*').json({ status: badge.status });
    else response.status(404).json({ message: 'Not Found' });
  });
  return router;
}

/** Keeps image proxies from caching badges. */
const cacheHeaders = {
  'Cache-Control': 'no-cache, no-store, must-revalidate, max-age=0',
  'X-Content-Type-Options': 'nosniff',
};

interface Badge {
  status: BadgeStatus;
  /** URL of the pipeline's page; null for a sample. */
  page: string | null;
}

async function badgeFor(services: Services, request: Request, response: Response): Promise<Badge | null> {
  const requestId = String(response.getHeader('X-Request-Id') ?? '');
  const context = new Context(services, { actor: { kind: 'system', cause: 'badge' }, surface: 'system', requestId });
  const input = {
    token: request.params['token'],
    branch: parameter(request, 'branch'),
    step: parameter(request, 'step'),
  };
  try {
    return await perform(readBadge, context, input);
  } catch (error) {
    // Unknown and malformed tokens look the same, as does a branch that cannot be one.
    if (error instanceof Problem) return null;
    throw error;
  }
}

async function sendImage(request: Request, response: Response, { status, page }: Badge): Promise<void> {
  // Loaded at the first badge: it measures fonts and would cost every start a quarter of a second.
  const { makeBadge } = await import('badge-maker');
  const theme = badgeTheme(parameter(request, 'theme') ?? null);
  const svg = makeBadge({
    label: 'build',
    message: status,
    color: theme[status],
    labelColor: theme.label,
    style: badgeStyle(parameter(request, 'style') ?? null),
    ...(page === null ? {} : { links: [page, page] }),
  });
  response
    .set({
      ...cacheHeaders,
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    })
    .send(svg);
}

function parameter(request: Request, name: string): string | undefined {
  const value = request.query[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
