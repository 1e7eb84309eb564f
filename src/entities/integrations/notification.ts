import { defineEntity, p } from '@mikro-orm/core';
import type { SentEvent } from '../../domain/integrations/notification-events.js';
import { at, idOrNull } from '../columns.js';

/** An event with its payload at the time; its deliveries name the receivers. */
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
