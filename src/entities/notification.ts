import { defineEntity, p } from '@mikro-orm/core';
import type { SentEvent } from '../domain/notification-events.js';
import { at, idOrNull } from './columns.js';

/** One event with its payload as it was when it happened; its deliveries say where it goes. */
export const NotificationSchema = defineEntity({
  name: 'Notification',
  tableName: 'notifications',
  indexes: [{ properties: ['createdAt'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    pipelineId: idOrNull(),
    buildId: idOrNull(),
    event: p.text().$type<SentEvent>(),
    /** JSON text without `sender`: kept as text so that every try sends, and signs, the same bytes. */
    payload: p.text(),
    createdAt: at(),
  },
});
