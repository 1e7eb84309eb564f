import { defineEntity, p } from '@mikro-orm/core';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { at, atOrNull, idOrNull, json, textOrNull } from '../columns.js';

/** An effect that must happen because a transaction committed; written in that transaction, deleted once delivered. */
export const OutboxMessageSchema = defineEntity({
  name: 'OutboxMessage',
  tableName: 'outbox_messages',
  indexes: [
    {
      name: 'outbox_messages_due_index',
      properties: ['availableAt'],
      expression:
        `create index "outbox_messages_due_index" on "outbox_messages" ("available_at", "id") where ` +
        `"failed_at" is null`,
    },
    {
      name: 'outbox_messages_failed_index',
      properties: ['failedAt'],
      expression:
        `create index "outbox_messages_failed_index" on "outbox_messages" ("failed_at") where ` +
        `"failed_at" is not null`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: idOrNull(),
    topic: p.text(),
    payload: json<JsonObject>(),
    attempts: p.integer().default(0),
    lastError: textOrNull(),
    availableAt: at(),
    failedAt: atOrNull(),
    createdAt: at(),
  },
});
