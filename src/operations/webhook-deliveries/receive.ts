import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type DeliveryProof, provesSecret } from '../../auth/delivery-proof.js';
import type { Context } from '../../context.js';
import { jsonb } from '../../database/row-conversion.js';
import { type DeliverySender, deliverySenders } from '../../domain/delivery/provider-event.js';
import { limits } from '../../domain/limits.js';
import { Problem } from '../../domain/problem.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { defineOperation } from '../operation.js';
import type { OrganizationSubject } from '../subject.js';
import { webhookSecret } from './webhook-secret.js';

const input = z.object({
  /** The secret part of the pipeline's webhook URL. */
  token: z.string(),
  sender: z.enum(deliverySenders),
  event: z.string().min(1).max(limits.webhookEventLength),
  /** Null where the provider sends none. */
  deliveryId: z.string().max(limits.webhookEventLength).nullable(),
  headers: z.array(z.string()),
  body: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  payload: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null),
  proof: z.custom<DeliveryProof | null>(),
});

type Found = OrganizationSubject & { pipelineId: string };

export interface Receipt {
  id: string;
  /** Whether this delivery was here before; nothing is done again. */
  repeated: boolean;
}

/**
 * Takes a delivery at a pipeline's webhook URL (api-v2 "Events", rest-facts 6.3): checks what it shows against the
 * pipeline's secret, stores it and leaves the rest to the outbox. The same delivery id is one delivery, however often
 * and wherever it arrives (I11).
 */
export const receiveDelivery = defineOperation({
  name: 'webhook-delivery.receive',
  summary: 'Takes a delivery of a source provider.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input,
  subject: (context, { token }) => findByToken(context, token),
  run: async (context, { sender, event, deliveryId, headers, body, payload, proof }, { organization, pipelineId }): Promise<Receipt> => {
    const secret = await webhookSecret(context, pipelineId);
    if (secret !== null && !provesSecret(proof, secret, body)) throw new Problem('unauthenticated', 'The delivery is not signed with the secret of this webhook');
    const id = context.newId();
    const row = {
      id,
      organizationId: organization.id,
      pipelineId,
      sender,
      event,
      deliveryId: deliveryId ?? digest(sender, body),
      headers: jsonb(headers) as never,
      payload: jsonb(payload) as never,
      createdAt: context.now,
    };
    const inserted = await context.db.insertInto('webhook_deliveries').values(row).onConflict((conflict) => conflict.columns(['pipelineId', 'deliveryId', 'event']).doNothing()).returning('id').executeTakeFirst();
    if (inserted) {
      context.send({ topic: 'webhook.process', organizationId: organization.id, payload: { deliveryId: id } });
      return { id, repeated: false };
    }
    const known = await context.db.selectFrom('webhook_deliveries').select('id').where('pipelineId', '=', pipelineId).where('deliveryId', '=', row.deliveryId).where('event', '=', event).executeTakeFirst();
    return { id: known?.id ?? id, repeated: true };
  },
});

/** Providers that give no id send the same body when they try again. */
function digest(sender: DeliverySender, body: Uint8Array): string {
  return `sha256:${createHash('sha256').update(sender).update('\0').update(body).digest('hex')}`;
}

async function findByToken(context: Context, token: string): Promise<Found | null> {
  if (!/^[0-9A-Za-z_-]{8,100}$/.test(token)) return null;
  const row = await context.db.selectFrom('pipelines').select(['id', 'organizationId']).where('webhookToken', '=', token).executeTakeFirst();
  const organization = row ? await context.load.organization.load(row.organizationId) : null;
  return row && organization ? { organization, pipelineId: row.id } : null;
}
