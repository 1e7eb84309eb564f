import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express';
import { v4 } from 'uuid';
import { Context, type Services } from '../context.js';
import { limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';
import { perform } from '../operations/operation.js';
import { createUpload, type UploadReceipt } from '../operations/uploads/create.js';
import { webUrls } from '../web-urls.js';
import { authenticate } from './authentication.js';
import { errorReply } from './problems.js';
import { readJson } from './read-json.js';
import { readMultipart } from './read-multipart.js';
import { readBody } from './request-body.js';
import type { UploadFields } from './upload-fields.js';

/** Where test collectors send results (rest-facts 7.1, agent-protocol 18); to be mounted at `/v1/uploads`. */
export function uploadRouter(services: Services): Router {
  const router = express.Router({ strict: false });
  router.use((request, response, next) => {
    const asked = request.get('X-Request-Id');
    const requestId = asked && /^[\w.:-]{1,100}$/.test(asked) ? asked : v4();
    response.locals['requestId'] = requestId;
    response.set({ 'X-Request-Id': requestId, 'Cache-Control': 'no-store' });
    next();
  });
  router.route('/').post(takeUpload(services)).all(refuseMethod);
  router.use(() => {
    throw new Problem('not_found', 'Not Found');
  });
  router.use(answerError(services));
  return router;
}

/** The body is read only of callers that are known. */
function takeUpload(services: Services): RequestHandler {
  return async (request, response) => {
    const actor = await authenticate(services, request.headers.authorization);
    const key = idempotencyKey(request);
    const upload = await readUpload(request);
    const context = new Context(services, {
      actor,
      door: 'rest',
      requestId: String(response.locals['requestId']),
      // What was sent before is told by the upload itself.
      idempotency: key === undefined ? undefined : { key, fingerprint: '' },
      ipAddress: request.ip ?? null,
      userAgent: request.headers['user-agent'] ?? null,
    });
    response.status(202).json(receipt(services, await perform(createUpload, context, upload)));
  };
}

async function readUpload(request: Request): Promise<UploadFields> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isForm = type === 'multipart/form-data';
  if (!isForm && type !== '' && type !== 'application/json' && type !== 'text/json') throw new Problem('unsupported_media_type', 'An upload must be JSON or multipart/form-data');
  const body = await readBody(request);
  return isForm ? readMultipart(request.headers, body) : readJson(body);
}

function idempotencyKey(request: Request): string | undefined {
  const key = request.get('Idempotency-Key');
  if (key === undefined || key.trim() === '') return undefined;
  if (key.length > limits.idempotencyKeyLength) throw new Problem('malformed', `Idempotency-Key is longer than ${limits.idempotencyKeyLength} characters`);
  return key;
}

/** Everything that any collector reads (agent-protocol 18): the upload has no page of its own, its run has. */
function receipt({ baseUrl }: Services, { organization, suite, run, upload }: UploadReceipt) {
  const url = webUrls.suiteRun(baseUrl, organization.slug, suite.slug, run.id);
  return { id: upload.id, upload_id: upload.id, run_id: run.id, queued: upload.queued, skipped: upload.skipped, errors: upload.errors, run_url: url, upload_url: url };
}

const refuseMethod: RequestHandler = (_request, response) => {
  response.set('Allow', 'POST').status(405).json({ message: 'Method Not Allowed' });
};

function answerError(services: Services) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const requestId = String(response.locals['requestId']);
    const reply = errorReply(error, requestId);
    if (reply.status === 500) services.log.error({ requestId, method: request.method, path: request.originalUrl, err: error }, 'upload failed');
    if (response.headersSent) return void response.destroy();
    // What is left of a body that nobody will read ends with the connection.
    if (!request.complete) response.set('Connection', 'close');
    response.status(reply.status).json(reply.body);
  };
}
