import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { Context, type Services } from '../context.js';
import { limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';
import { perform } from '../operations/operation.js';
import { deliverToTrigger } from '../operations/pipeline-triggers/deliver.js';
import { receiveDelivery } from '../operations/webhook-deliveries/receive.js';
import { readBody, readPayload } from './read-body.js';
import { plainReply } from '../problem-reply.js';
import { keptHeaders, readHeaders, readProofs } from './read-headers.js';

/**
 * Where source providers deliver to: `POST /webhooks/deliver/{token}`, a pipeline's `provider.webhook_url` (api-v2
 * "Events", rest-facts 6.3). A delivery is answered 202 as soon as it is stored, and 200 where it was here before. The
 * same address with the token of a pipeline trigger makes that trigger's build, 201 (rest-facts 6.4).
 */
export function webhookRouter(services: Services): Router {
  const router = Router();
  router.post('/deliver/:token', (request, response) => deliver(services, request, response));
  router.all('/deliver/:token', (_request, response) => {
    response.status(405).set('Allow', 'POST').json({ message: 'Method Not Allowed' });
  });
  router.use(failures(services));
  return router;
}

async function deliver(services: Services, request: Request, response: Response): Promise<void> {
  const requestId = String(response.getHeader('X-Request-Id') ?? '');
  const context = new Context(services, { actor: { kind: 'system', cause: 'webhook' }, door: 'webhook', requestId, userAgent: request.get('user-agent') ?? null });
  const token = String(request.params['token']);
  if (token.startsWith('bktr_')) {
    const posted = await readBody(request, response, limits.triggerBodyBytes);
    const { build } = await perform(deliverToTrigger, context, { token, body: posted, payload: readPayload(posted, request.get('content-type')), proofs: readProofs(request.headers) });
    response.status(201).json({ id: build.id });
    return;
  }
  const body = await readBody(request, response);
  const said = readHeaders(request.headers);
  if (!said) throw new Problem('malformed', 'The headers are not those of a delivery of a source provider');
  const { id, repeated } = await perform(receiveDelivery, context, {
    ...said,
    token,
    headers: keptHeaders(request.headers),
    body,
    payload: readPayload(body, request.get('content-type')),
  });
  response.status(repeated ? 200 : 202).json({ id, message: repeated ? 'This delivery was received before' : 'The delivery was received' });
}

/** Problems as `{message}`; whatever else is ours, and said by the application. */
function failures(services: Services): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (!(error instanceof Problem) || response.headersSent) {
      next(error);
      return;
    }
    services.log.debug({ err: error }, 'a delivery was refused');
    const { status, headers, body } = plainReply(error, String(response.getHeader('X-Request-Id') ?? ''));
    response.status(status).set(headers).json(body);
  };
}
