import { defineEntity, p } from '@mikro-orm/core';
import type { EventDecision } from '../domain/delivery/event-decision.js';
import type { DeliverySender } from '../domain/delivery/provider-event.js';
import type { JsonObject } from '../domain/steps/step.js';
import { at, atOrNull, json, textOrNull } from './columns.js';

export type DeliveryOutcome = EventDecision['outcome'];

/** What a source provider delivered, and what became of it. One row a delivery id: the unique constraint is what makes it one build. */
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
      expression: `create index "webhook_deliveries_pending_index" on "webhook_deliveries" ("pipeline_id", "id") where "processed_at" is null`,
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
    /** `Name: value`; those that carry secrets are never among them. */
    headers: json<string[]>(),
    /** Null once it is no longer kept. */
    payload: json<JsonObject>().nullable(),
    /** The most that happened to any event of the delivery; null until it is processed. */
    outcome: p.text().$type<DeliveryOutcome>().nullable(),
    reason: textOrNull(),
    decisions: json<EventDecision[]>().defaultRaw(`'[]'`),
    /** Tries that ended in a failure of ours. */
    attempts: p.integer().default(0),
    createdAt: at(),
    processedAt: atOrNull(),
  },
});
