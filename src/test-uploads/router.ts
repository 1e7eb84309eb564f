import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express';
import type { Services } from '../services/services.js';
import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';
import { readBody, readSharedBody } from '../http/body.js';
import { originOf } from '../http/client-address.js';
import { meterRequest } from '../http/request-bounds.js';
import { requestFields } from '../http/request-fields.js';
import { setRequestId } from '../http/request-id.js';
import type { Context, RequestFacts } from '../request/context.js';
import { formatTime } from '../domain/time.js';
import { perform } from '../core/operation.js';
import { storeTestOwnership } from '../operations/suites/test-ownership/store.js';
import { createUpload, type UploadReceipt } from '../operations/suites/uploads/create.js';
import { webUrls } from '../services/web-urls.js';
import { authenticateSuite } from '../auth/authenticate.js';
import { callerOf } from '../auth/caller.js';
import { decodeText } from '../domain/json-text.js';
import { readJsonUpload } from '../resources/suites/uploads/read-json-upload.js';
import { errorReply } from './problems.js';
import { readForm, readMultipart } from './read-multipart.js';
import { ownersLimit, uploadLimit } from './data-file.js';
import type { UploadFields } from './upload-fields.js';

/** Receives results of test collectors; mounted at `/v1/uploads`. */
export const uploadRouter = (services: Services): Router => suiteRouter(services, takeUpload(services));

/** Receives the TESTOWNERS file of a suite; mounted at `/v1/test-ownerships`. */
export const ownershipRouter = (services: Services): Router => suiteRouter(services, takeOwnership(services));

/** Takes what is posted with the token of a suite. */
function suiteRouter(services: Services, take: RequestHandler): Router {
  const router = express.Router({ strict: false });
  router.use((request, response, next) => {
    response.locals['requestId'] = setRequestId(request, response);
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.route('/').post(take).all(refuseMethod);
  router.use(() => {
    throw new Problem('not_found', 'Not Found');
  });
  router.use(answerError(services));
  return router;
}

/** The body is read only of callers that are known. */
function takeUpload(services: Services): RequestHandler {
  return async (request, response) => {
    const actor = await authenticateSuite(services, request.headers.authorization);
    response.locals['actor'] = actor;
    const key = idempotencyKey(request);
    const upload = await readUpload(services, callerOf(actor), request);
    // No fingerprint: the operation compares the upload itself with the earlier one.
    const idempotency = key === undefined ? undefined : { key, fingerprint: '' };
    const context = contextOf(services, { request, response }, { actor, idempotency });
    response.status(202).json(receipt(services, await perform(createUpload, context, upload)));
  };
}

/** A form with the file in its field `file`. */
function takeOwnership(services: Services): RequestHandler {
  return async (request, response) => {
    const actor = await authenticateSuite(services, request.headers.authorization);
    response.locals['actor'] = actor;
    const body = await readBody(request, ownersLimit);
    if (!isForm(request))
      throw new Problem('unsupported_media_type', 'A TESTOWNERS file is sent as multipart/form-data');
    const { file, fields } = await readForm(request, body, 'file');
    const content = file ? decodeText(file) : fields.get('file');
    const context = contextOf(services, { request, response }, { actor });
    const { suite, ownership } = await perform(storeTestOwnership, context, { file: content });
    response.status(201).json({ suite_id: suite.id, stored_at: formatTime(ownership.storedAt) });
  };
}

const contextOf = (
  services: Services,
  { request, response }: { request: Request; response: Response },
  facts: Pick<RequestFacts, 'actor' | 'idempotency'>,
): Context =>
  meterRequest(services, response).context({
    surface: 'rest',
    requestId: String(response.locals['requestId']),
    ...facts,
    ...originOf(request, services.trustsProxy),
  });

const mediaType = (request: Request): string =>
  (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
const isForm = (request: Request): boolean => mediaType(request) === 'multipart/form-data';

async function readUpload(services: Services, caller: string, request: Request): Promise<UploadFields> {
  const type = mediaType(request);
  if (!isForm(request) && type !== '' && type !== 'application/json' && type !== 'text/json')
    throw new Problem('unsupported_media_type', 'An upload must be JSON or multipart/form-data');
  const body = await readSharedBody(request, uploadLimit);
  return isForm(request) ? readMultipart(request, body) : readJsonUpload(services, caller, body);
}

function idempotencyKey(request: Request): string | undefined {
  const key = request.get('Idempotency-Key');
  if (key === undefined || key.trim() === '') return undefined;
  if (key.length > limits.idempotencyKeyLength)
    throw new Problem('malformed', `Idempotency-Key is longer than ${limits.idempotencyKeyLength} characters`);
  return key;
}

/** The reply to an upload, with all that any collector reads. Its URL is that of the run: uploads have no page. */
function receipt({ baseUrl }: Services, { organization, suite, run, upload }: UploadReceipt) {
  const url = webUrls.suiteRun(baseUrl, organization.slug, suite.slug, run.id);
  return {
    id: upload.id,
    upload_id: upload.id,
    run_id: run.id,
    queued: upload.queued,
    skipped: upload.skipped,
    errors: upload.errors,
    run_url: url,
    upload_url: url,
  };
}

const refuseMethod: RequestHandler = (_request, response) => {
  response.set('Allow', 'POST').status(405).json({ message: 'Method Not Allowed' });
};

function answerError(services: Services) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const requestId = String(response.locals['requestId']);
    const reply = errorReply(error, requestId);
    if (reply.status === 500) services.log.error({ ...requestFields(request, response), err: error }, 'upload failed');
    if (response.headersSent) return void response.destroy();
    response.status(reply.status).set(reply.headers).json(reply.body);
  };
}
