import { defineEntity, p } from '@mikro-orm/core';
import type { EventDecision } from '../../domain/integrations/webhook-deliveries/event-decision.js';
import type { DeliverySender } from '../../domain/integrations/webhook-deliveries/provider-event.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { at, atOrNull, json, textOrNull } from '../columns.js';

export type DeliveryOutcome = EventDecision['outcome'];

/** A delivery of a source provider and its outcome. The unique constraint on the delivery id makes it count once. */
export const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  uniques: [{ properties: ['pipelineId', 'deliveryId', 'event'] }],
  indexes: [
    { properties: ['pipelineId', 'id'] },
    { properties: ['createdAt'] },
    {
      name: 'webhook_deliveries_pending_index',
      properties: ['pipelineId', 'id'],
      expression:
        `create index "webhook_deliveries_pending_index" on "webhook_deliveries" ("pipeline_id", ` +
        `"id") where "processed_at" is null`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    sender: p.text().$type<DeliverySender>(),
    event: p.text(),
    /** The provider's id of the delivery; a digest of it where it sends none. */
    deliveryId: p.text(),
    /** Headers as `Name: value`, without those that carry secrets. */
    headers: json<string[]>(),
    /** Null once deleted by age. */
    payload: json<JsonObject>().nullable(),
    /** Strongest outcome of the delivery's events; null until it is processed. */
    outcome: p.text().$type<DeliveryOutcome>().nullable(),
    reason: textOrNull(),
    decisions: json<EventDecision[]>().defaultRaw(`'[]'`),
    /** Attempts that failed internally. */
    attempts: p.integer().default(0),
    createdAt: at(),
    processedAt: atOrNull(),
  },
});
