import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import type { Services } from '../services/services.js';
import { Problem } from '../domain/problem.js';
import type { JsonObject } from '../domain/pipelines/steps/step.js';
import { perform } from '../core/operation.js';
import { deliverToTrigger } from '../operations/pipelines/triggers/deliver.js';
import { findWebhookAddress } from '../operations/integrations/webhook-deliveries/find-address.js';
import { findConnectionAddress } from '../operations/integrations/webhook-deliveries/find-connection-address.js';
import { receiveForConnection } from '../operations/integrations/webhook-deliveries/receive-for-connection.js';
import { receiveDelivery } from '../operations/integrations/webhook-deliveries/receive.js';
import { readBody } from '../http/body.js';
import { originOf } from '../http/client-address.js';
import { pathParameters } from '../http/path-parameters.js';
import { plainReply, problemOf } from '../http/problem-reply.js';
import { meterRequest } from '../http/request-bounds.js';
import { setRequestId } from '../http/request-id.js';
import { readPayload } from './payload.js';
import {
  type DeliveryHeaders,
  keptHeaders,
  readHeaders,
  readProofs,
  readSenderOfPayload,
  readSharedSecret,
} from './read-headers.js';

/**
 * Serves `POST /webhooks/deliver/{token}`, a pipeline's `provider.webhook_url`. A delivery is answered 202 once it is
 * stored, or 200 if it was received before. With the token of a pipeline trigger the request creates a build and is
 * answered 201. `POST /webhooks/connections/{id}` is one address for all repositories of a connection: the delivery is
 * stored for every pipeline of its repository.
 */
export function webhookRouter(services: Services): Router {
  const router = Router();
  router.post('/deliver/:token', (request, response) => deliver(services, request, response));
  router.post('/connections/:connection', (request, response) => deliverForConnection(services, request, response));
  router.all(['/deliver/:token', '/connections/:connection'], (_request, response) => {
    response.status(405).set('Allow', 'POST').json({ message: 'Method Not Allowed' });
  });
  router.use(failures(services));
  return router;
}

const contextOf = (services: Services, request: Request, response: Response) =>
  meterRequest(services, response).context({
    actor: { kind: 'system', cause: 'webhook' },
    surface: 'webhook',
    requestId: setRequestId(request, response),
    ...originOf(request, services.trustsProxy),
    traceparent: request.get('traceparent') ?? null,
  });

const tooLarge = 'The body of the delivery is too large';

async function deliver(services: Services, request: Request, response: Response): Promise<void> {
  const context = contextOf(services, request, response);
  const token = pathParameters(request)['token'] ?? '';
  // Unknown tokens cost only this lookup, and deliveries without the secret only the reading of their bytes.
  const address = await perform(findWebhookAddress, context, { token });
  const named = readHeaders(request.headers);
  const body = await readBody(request, {
    bytes: address.bodyBytes,
    decompressedBytes: address.unpackedBytes,
    message: tooLarge,
  });
  const proofs = readProofs(request.headers);
  const proof = named ? named.proof : readSharedSecret(request.headers);
  address.requireProof(proof, proofs, body);
  const payload = readPayload(body, request.get('content-type'));
  if (address.kind === 'trigger') {
    const { build } = await perform(deliverToTrigger, context, { token, body, payload, proofs });
    response.status(201).json({ id: build.id });
    return;
  }
  const { id, repeated } = await perform(receiveDelivery, context, {
    ...senderOf(named, payload),
    proof,
    token,
    headers: keptHeaders(request.headers),
    body,
    payload,
  });
  response
    .status(repeated ? 200 : 202)
    .json({ id, message: repeated ? 'This delivery was received before' : 'The delivery was received' });
}

async function deliverForConnection(services: Services, request: Request, response: Response): Promise<void> {
  const context = contextOf(services, request, response);
  const connection = pathParameters(request)['connection'] ?? '';
  const address = await perform(findConnectionAddress, context, { connection });
  const named = readHeaders(request.headers);
  const proof = named ? named.proof : readSharedSecret(request.headers);
  const body = await readBody(request, {
    bytes: address.bodyBytes,
    decompressedBytes: address.unpackedBytes,
    message: tooLarge,
  });
  address.requireProof(proof, body);
  const payload = readPayload(body, request.get('content-type'));
  const { repository, deliveries } = await perform(receiveForConnection, context, {
    ...senderOf(named, payload),
    proof,
    connection,
    headers: keptHeaders(request.headers),
    body,
    payload,
  });
  response.status(deliveries.every(({ repeated }) => repeated) ? 200 : 202).json({
    message: connectionMessage(repository, deliveries),
    deliveries: deliveries.map(({ id, pipeline }) => ({ id, pipeline })),
  });
}

function connectionMessage(repository: string | null, deliveries: readonly { repeated: boolean }[]): string {
  if (repository === null) return 'The delivery names no repository, and no pipeline is built from it';
  if (deliveries.length === 0) return `No pipeline of the organization takes deliveries about ${repository} here`;
  return deliveries.every(({ repeated }) => repeated)
    ? 'This delivery was received before'
    : `The delivery was received for ${deliveries.length} ${deliveries.length === 1 ? 'pipeline' : 'pipelines'}`;
}

/** Sender, event and id of a delivery; throws `malformed` where neither headers nor body are those of a provider. */
function senderOf(
  headers: DeliveryHeaders | null,
  payload: JsonObject,
): Pick<DeliveryHeaders, 'sender' | 'event' | 'deliveryId'> {
  const sender = headers ?? readSenderOfPayload(payload);
  if (!sender) throw new Problem('malformed', 'Headers and body are not those of a delivery of a source provider');
  return { sender: sender.sender, event: sender.event, deliveryId: sender.deliveryId };
}

/** Answers a Problem as `{message}`; any other error goes to the application's handler. */
function failures(services: Services): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (!problemOf(error) || response.headersSent) {
      next(error);
      return;
    }
    services.log.debug({ err: error }, 'a delivery was refused');
    const { status, headers, body } = plainReply(error, String(response.getHeader('X-Request-Id') ?? ''));
    response.status(status).set(headers).json(body);
  };
}
