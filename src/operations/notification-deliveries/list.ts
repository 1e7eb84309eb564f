import { z } from 'zod';
import type { NotificationDeliveryRow } from '../../entities/database.js';
import { inOrganization } from '../address.js';
import { findNotificationService, type NotificationServiceSubject } from '../notification-services/find-service.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../paging.js';

/** What a service was sent and will be, newest first: state, tries, the last answer. Kept for `deliveriesKeptDays`. */
export const listNotificationDeliveries = defineOperation({
  name: 'notification-delivery.list',
  summary: 'Lists the deliveries of an outgoing webhook.',
  kind: 'query',
  scope: 'read_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ service: inOrganization, paging: paging.default(defaultPaging) }),
  subject: (context, { service }) => findNotificationService(context, service),
  run: async (context, { paging: asked }, { service }: NotificationServiceSubject): Promise<Page<NotificationDeliveryRow>> =>
    paginate(context.db, context.db.selectFrom('notification_deliveries as d').selectAll('d').where('d.serviceId', '=', service.id), newestFirst<NotificationDeliveryRow>('d.id'), asked),
});
