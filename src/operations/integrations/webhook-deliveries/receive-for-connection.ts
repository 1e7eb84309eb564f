import pLimit from 'p-limit';
import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import type { Subject } from '../../../core/subject.js';
import { readDelivery } from '../../../domain/integrations/webhook-deliveries/read-delivery.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem } from '../../../domain/problem.js';
import { pipelinesOfRepository } from '../../../resources/integrations/webhook-deliveries/pipelines-of-repository.js';
import { type Receipt, storeReceived } from '../../../resources/integrations/webhook-deliveries/store-received.js';
import { type DeliveryConnection, findConnectionOfAddress, requireConnectionProof } from './find-connection-address.js';
import { deliveryFields } from './receive.js';

interface ConnectionDeliverySubject extends Subject {
  connection: DeliveryConnection;
}

/** A delivery as it was stored for one pipeline. */
export type PipelineReceipt = Receipt & { pipeline: string };

export interface ConnectionReceipt {
  /** Repository of the delivery, `owner/name`; null for events without one. */
  repository: string | null;
  deliveries: PipelineReceipt[];
}

/** Large deliveries are stored one after another; small ones share statements. */
const smallBytes = 64 * 1024;
const pipelinesAtOnce = 50;

/**
 * Receives a delivery at the webhook address of a connection, which an App, a group or a whole organization at the
 * provider has in common, and stores it for every pipeline of its repository. Each then decides for itself.
 */
export const receiveForConnection = defineOperation({
  name: 'webhook-delivery.receive-for-connection',
  summary: 'Receives a delivery of a source provider for all pipelines of its repository.',
  kind: 'command',
  inTransaction: false,
  // The payload comes with characters replaced that cannot be stored, and may be 25 MiB.
  anyText: true,
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({ connection: z.string(), ...deliveryFields }),
  subject: async (context, { connection: id }): Promise<ConnectionDeliverySubject | null> => {
    const connection = await findConnectionOfAddress(context, id);
    return connection && { connection };
  },
  run: async (
    context,
    { sender, event, deliveryId, headers, body, payload, proof },
    { connection },
  ): Promise<ConnectionReceipt> => {
    requireConnectionProof(context, connection, proof, body);
    const repository = readDelivery(sender, event, payload)[0]?.repository ?? null;
    if (repository === null) return { repository, deliveries: [] };
    const pipelines = await pipelinesOfRepository(context.services.db, connection, repository);
    refuseTooMany(pipelines.length, body.length);
    const inTurn = pLimit(body.length <= smallBytes ? pipelinesAtOnce : 1);
    const deliveries = await inTurn.map(pipelines, async ({ id: pipelineId, slug }) => ({
      ...(await storeReceived(context, {
        organizationId: connection.organizationId,
        pipelineId,
        sender,
        event,
        deliveryId,
        headers,
        body,
        payload,
      })),
      pipeline: slug,
    }));
    return { repository, deliveries };
  },
});

/** Throws `too_large` for a delivery that as many copies as there are pipelines would be too much of. */
function refuseTooMany(pipelines: number, bytes: number): void {
  const most = Math.min(limits.pipelinesPerDelivery, Math.floor(limits.connectionDeliveryBytes / Math.max(bytes, 1)));
  if (pipelines > most)
    throw new Problem(
      'too_large',
      `The repository has ${pipelines} pipelines, and a delivery of ${bytes} bytes is stored for ${most} at most: ` +
        'create webhooks of their own for some of them',
    );
}
