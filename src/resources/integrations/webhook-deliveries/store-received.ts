import { createHash } from 'node:crypto';
import type { DeliverySender } from '../../../domain/integrations/webhook-deliveries/provider-event.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { Context } from '../../../request/context.js';
import { storeDelivery } from './arriving-deliveries.js';

export interface Receipt {
  id: string;
  /** Whether this delivery had arrived before; nothing is processed again. */
  repeated: boolean;
}

/** A delivery whose proof was checked, for one pipeline. */
export interface ReceivedDelivery {
  organizationId: string;
  pipelineId: string;
  sender: DeliverySender;
  event: string;
  /** Null if the provider sends no id. */
  deliveryId: string | null;
  headers: string[];
  body: Uint8Array;
  payload: JsonObject;
}

/** Stores a delivery and leaves its processing to the outbox; one that was stored before is only found. */
export async function storeReceived(
  context: Context,
  { body, deliveryId, ...delivery }: ReceivedDelivery,
): Promise<Receipt> {
  const row = {
    ...delivery,
    id: context.newId(),
    deliveryId: deliveryId ?? digest(delivery.sender, body),
    createdAt: context.now,
  };
  const { db } = context.services;
  if (await storeDelivery(db, { ...row, messageId: context.newId() }, body.length)) {
    context.services.wake();
    return { id: row.id, repeated: false };
  }
  const known = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('pipelineId', '=', row.pipelineId)
    .where('deliveryId', '=', row.deliveryId)
    .where('event', '=', row.event)
    .executeTakeFirst();
  // It may be this one, stored by a statement whose answer was lost.
  if (known?.id !== row.id) return { id: known?.id ?? row.id, repeated: true };
  context.services.wake();
  return { id: row.id, repeated: false };
}

/** Stands in for a delivery id: providers without ids resend the same body on a retry. */
function digest(sender: DeliverySender, body: Uint8Array): string {
  return `sha256:${createHash('sha256').update(sender).update('\0').update(body).digest('hex')}`;
}
