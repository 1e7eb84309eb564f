import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Context } from '../request/context.js';
import type { Services } from '../services/services.js';
import { limits } from '../domain/limits/limits.js';
import { notFound } from '../domain/problem.js';
import { refuseLongBody } from '../http/body.js';
import { clientAddress } from '../http/client-address.js';
import { inviteBody } from '../http/expect-continue.js';
import { queryOf } from '../http/query.js';
import { meterRequest } from '../http/request-bounds.js';
import { requestFields } from '../http/request-fields.js';
import { setRequestId } from '../http/request-id.js';
import { isSentToReports } from '../http/own-origin.js';
import { readArtifactArchive } from '../operations/builds/artifacts/read-archive.js';
import { readArtifact } from '../operations/builds/artifacts/read.js';
import { readReportFile } from '../operations/builds/artifacts/read-report-file.js';
import { receiveArtifact } from '../operations/builds/artifacts/receive.js';
import { perform } from '../core/operation.js';
import { archiveTurns } from './archive-turns.js';
import { readForm } from './form.js';
import { errorReply } from './problems.js';
import { sendArchive } from './send-archive.js';
import { sendArtifact } from './send-artifact.js';
import { sendReportFile } from './send-report-file.js';

/** Longest pause of a sender or reader. */
const idleMs = 60_000;
/** Most bytes of a form around its file. */
const formBytes = 256 * 1024;

/**
 * Signed addresses of files, to be mounted at `/files`: they need no credential, and do not mind one.
 * Bytes pass through, in both directions, and never lie in memory as a whole.
 */
export function filesRouter(services: Services): Router {
  const router = express.Router({ caseSensitive: true });
  router.use((request, response, next) => {
    response.locals['requestId'] = setRequestId(request, response);
    response.set('Cache-Control', 'no-store');
    request.setTimeout(idleMs);
    response.setTimeout(idleMs, () => response.destroy());
    next();
  });
  router.get('/artifacts/:id', async (request, response) => {
    await sendArtifact(
      await perform(readArtifact, contextOf(services, request, response), {
        id: request.params.id,
        ...signed(request),
      }),
      request,
      response,
    );
  });
  router.get('/archives/:of/:id', async (request, response) => {
    const { of, id } = request.params;
    const context = contextOf(services, request, response);
    const archive = await perform(readArtifactArchive, context, { of, id, ...signed(request) });
    await sendArchive(archive, archiveTurns, request, response);
  });
  router.get('/reports/:token/{*path}', async (request, response) => {
    if (services.reportsUrl !== undefined && !isSentToReports(services, request)) throw notFound();
    const { token, path = [] } = request.params as { token: string; path?: string[] };
    const context = contextOf(services, request, response);
    const file = await perform(readReportFile, context, { token, path: path.join('/') });
    await sendReportFile(file, services, request, response);
  });
  router.put('/uploads/:id', async (request, response) => {
    const { sha1sum } = await perform(receiveArtifact, contextOf(services, request, response), {
      of: { id: request.params.id },
      ...signed(request),
      announcedBytes: announcedBytes(request),
      bytes: () => {
        inviteBody(request);
        return request;
      },
    });
    response.status(200).set('ETag', `"${sha1sum}"`).json({});
  });
  router.post('/uploads', async (request, response) => {
    refuseLongBody(request, {
      bytes: limits.artifactBytes + formBytes,
      message: `An artifact has at most ${limits.artifactBytes} bytes`,
    });
    const sent = readForm(request);
    const { fields, file } = await sent.form;
    const of = { job: fields['job'], batch: fields['batch'], path: fields['key'] };
    await perform(receiveArtifact, contextOf(services, request, response), {
      of,
      expires: fields['expires'],
      signature: fields['signature'],
      announcedBytes: Math.max(0, announcedBytes(request) - formBytes),
      bytes: () => file,
    });
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
  return meterRequest(services, response).context({
    actor: { kind: 'system', cause: 'signed-address' },
    surface: 'system',
    requestId,
    ipAddress: clientAddress(request, services.trustsProxy),
  });
}

/** Read from the URL itself: how the application parses queries is nothing to rely on. */
function signed(request: Request) {
  const query = queryOf(request);
  return { expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' };
}

/** Number of bytes announced by the Content-Length; 0 without one. */
const announcedBytes = (request: Request) => Number(request.headers['content-length'] ?? 0);

const ofFiles = ['Content-Type', 'Content-Length', 'Content-Disposition', 'ETag', 'Last-Modified', 'Accept-Ranges'];

function answerError(services: Services) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const requestId = String(response.locals['requestId']);
    const reply = errorReply(error, requestId);
    if (reply.status >= 500 && !response.destroyed)
      services.log.error({ ...requestFields(request, response), err: error }, 'artifact request failed');
    // The rest of the body is not read: the connection ends with the answer.
    if (!request.readableEnded) response.set('Connection', 'close');
    if (response.headersSent) return void response.destroy();
    for (const name of ofFiles) response.removeHeader(name);
    response
      .status(reply.status)
      .set({ 'Cache-Control': 'no-store', ...reply.headers })
      .json(reply.body);
  };
}
