import { z } from 'zod';
import type { NotificationDeliveryRow } from '../../../entities/database.js';
import { inOrganization } from '../../../core/address.js';
import {
  findNotificationService,
  type NotificationServiceSubject,
} from '../../../resources/integrations/notification-services/find-service.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';

/**
 * Lists sent and pending deliveries of an outgoing webhook, newest first, with state, attempts and last response.
 * Deleted after `deliveriesKeptDays` days.
 */
export const listNotificationDeliveries = defineOperation({
  name: 'notification-delivery.list',
  summary: 'Lists the deliveries of an outgoing webhook.',
  kind: 'query',
  mayLag: true,
  scope: 'read_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ service: inOrganization, paging: paging.default(defaultPaging) }),
  subject: (context, { service }) => findNotificationService(context, service),
  run: async (
    context,
    { paging: page },
    { service }: NotificationServiceSubject,
  ): Promise<Page<NotificationDeliveryRow>> =>
    paginate(
      context.db,
      context.db.selectFrom('notification_deliveries as d').selectAll('d').where('d.serviceId', '=', service.id),
      newestFirst<NotificationDeliveryRow>('d.id'),
      page,
    ),
});
