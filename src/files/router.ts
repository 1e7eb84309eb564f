import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { v7 } from 'uuid';
import { Context, type Services } from '../context.js';
import { limits } from '../domain/limits.js';
import { notFound, Problem } from '../domain/problem.js';
import { readArtifact } from '../operations/artifacts/read.js';
import { receiveArtifact } from '../operations/artifacts/receive.js';
import { perform } from '../operations/operation.js';
import { readForm } from './form.js';
import { errorReply } from './problems.js';
import { sendArtifact } from './send-artifact.js';

/** How long a sender or a reader may stand still. */
const idleMs = 60_000;
/** What a form has around its file at most. */
const formBytes = 256 * 1024;

/**
 * Signed addresses of files, to be mounted at `/files`: they need no credential, and do not mind one (ruling 10).
 * Bytes pass through, in both directions, and never lie in memory as a whole.
 */
export function filesRouter(services: Services): Router {
  const router = express.Router({ caseSensitive: true });
  router.use((request, response, next) => {
    const given = response.getHeader('X-Request-Id');
    const requestId = typeof given === 'string' ? given : v7();
    response.locals['requestId'] = requestId;
    response.set({ 'X-Request-Id': requestId, 'Cache-Control': 'no-store' });
    request.setTimeout(idleMs);
    response.setTimeout(idleMs, () => response.destroy());
    next();
  });
  router.get('/artifacts/:id', async (request, response) => {
    await sendArtifact(await perform(readArtifact, contextOf(services, request, response), { id: request.params.id, ...signed(request) }), request, response);
  });
  router.put('/uploads/:id', async (request, response) => {
    refuseLong(request, limits.artifactBytes);
    const { sha1sum } = await perform(receiveArtifact, contextOf(services, request, response), { of: { id: request.params.id }, ...signed(request), bytes: request });
    response.status(200).set('ETag', `"${sha1sum}"`).json({});
  });
  router.post('/uploads', async (request, response) => {
    refuseLong(request, limits.artifactBytes + formBytes);
    const sent = readForm(request);
    const { fields, file } = await sent.form;
    const of = { job: fields['job'], batch: fields['batch'], path: fields['key'] };
    await perform(receiveArtifact, contextOf(services, request, response), { of, expires: fields['expires'], signature: fields['signature'], bytes: file });
    await sent.ended;
    response.status(204).end();
  });
  router.use(() => {
    throw notFound();
  });
  router.use(answerError(services));
  return router;
}

function contextOf(services: Services, request: Request, response: Response): Context {
  const requestId = String(response.locals['requestId']);
  return new Context(services, { actor: { kind: 'system', cause: 'signed-address' }, door: 'system', requestId, ipAddress: request.ip ?? null });
}

/** Read from the URL itself: how the application parses queries is nothing to rely on. */
function signed(request: Request) {
  const query = new URL(request.originalUrl, 'http://files').searchParams;
  return { expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' };
}

function refuseLong(request: Request, most: number): void {
  if (Number(request.headers['content-length'] ?? 0) > most) throw new Problem('too_large', `An artifact has at most ${limits.artifactBytes} bytes`);
}

const ofFiles = ['Content-Type', 'Content-Length', 'Content-Disposition', 'ETag', 'Last-Modified', 'Accept-Ranges'];

function answerError(services: Services) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const requestId = String(response.locals['requestId']);
    const reply = errorReply(error, requestId);
    if (reply.status >= 500) services.log.error({ requestId, method: request.method, err: error }, 'request of a file failed');
    // What is still being sent is not read any more: the connection ends with the answer.
    if (!request.readableEnded) response.set('Connection', 'close');
    if (response.headersSent) return void response.destroy();
    for (const name of ofFiles) response.removeHeader(name);
    response.status(reply.status).set({ 'Cache-Control': 'no-store', ...reply.headers }).json(reply.body);
  };
}
