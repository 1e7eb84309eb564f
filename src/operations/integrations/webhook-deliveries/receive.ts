import { z } from 'zod';
import { type DeliveryProof, provesSecret } from '../../../auth/delivery-proof.js';
import { hashToken } from '../../../auth/secrets.js';
import type { Context } from '../../../request/context.js';
import { deliverySenders } from '../../../domain/integrations/webhook-deliveries/provider-event.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem } from '../../../domain/problem.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { defineOperation } from '../../../core/operation.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { openWebhookSecret } from '../../../resources/integrations/webhook-deliveries/webhook-secret.js';
import { findPipelineOfToken } from '../../../resources/integrations/webhook-deliveries/arriving-deliveries.js';
import { type Receipt, storeReceived } from '../../../resources/integrations/webhook-deliveries/store-received.js';

/** A delivery as it arrives at any webhook address. */
export const deliveryFields = {
  sender: z.enum(deliverySenders),
  event: z.string().min(1).max(limits.webhookEventLength),
  /** Null if the provider sends no id. */
  deliveryId: z.string().max(limits.webhookEventLength).nullable(),
  headers: z.array(z.string()),
  body: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  payload: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null),
  proof: z.custom<DeliveryProof | null>(),
};

const input = z.object({
  /** The secret part of the pipeline's webhook URL. */
  token: z.string(),
  ...deliveryFields,
});

type WebhookSubject = OrganizationSubject & { pipelineId: string; sealedSecret: string | null };

/**
 * Receives a delivery at a pipeline's webhook URL: verifies it against the pipeline's secret, stores it, and leaves
 * processing to the outbox. A delivery id counts once, however often and on whichever replica it arrives. It has no
 * transaction of its own: it writes one statement, together with the deliveries that arrive at the same moment.
 */
export const receiveDelivery = defineOperation({
  name: 'webhook-delivery.receive',
  summary: 'Receives a delivery of a source provider.',
  kind: 'command',
  inTransaction: false,
  // The payload comes with characters replaced that cannot be stored, and may be 25 MiB.
  anyText: true,
  scope: null,
  access: 'internal',
  audited: false,
  input,
  subject: (context, { token }) => findPipelineByToken(context, token),
  run: async (
    context,
    { sender, event, deliveryId, headers, body, payload, proof },
    { organization, pipelineId, sealedSecret },
  ): Promise<Receipt> => {
    const secret = sealedSecret === null ? null : openWebhookSecret(context, sealedSecret);
    if (secret !== null && !provesSecret(proof, secret, body))
      throw new Problem('unauthenticated', 'The delivery is not signed with the secret of this webhook');
    return storeReceived(context, {
      organizationId: organization.id,
      pipelineId,
      sender,
      event,
      deliveryId,
      headers,
      body,
      payload,
    });
  },
});

/** The pipeline whose webhook URL has this token, with the secret of its webhook as it is stored. */
export async function findPipelineByToken({ services }: Context, token: string): Promise<WebhookSubject | null> {
  if (!/^[0-9A-Za-z_-]{8,100}$/.test(token)) return null;
  const row = await findPipelineOfToken(services.db, hashToken(token));
  return row && { organization: row.organization, pipelineId: row.pipelineId, sealedSecret: row.secret };
}
