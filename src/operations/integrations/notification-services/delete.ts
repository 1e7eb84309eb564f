import { z } from 'zod';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import {
  findNotificationService,
  type NotificationServiceSubject,
} from '../../../resources/integrations/notification-services/find-service.js';

/** DELETE services: deletes a notification service with its deliveries; pending ones are not sent. */
export const deleteNotificationService = defineOperation({
  name: 'notification-service.delete',
  summary: 'Deletes a notification service.',
  kind: 'command',
  scope: 'write_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ service: inOrganization }),
  subject: (context, { service }) => findNotificationService(context, service, { lock: true }),
  run: async (context, _input, subject: NotificationServiceSubject): Promise<NotificationServiceSubject> => {
    await context.db
      .updateTable('build_notifications')
      .set({ outcome: 'failed', detail: 'The notification service was deleted.', updatedAt: context.now })
      .where('outcome', '=', 'pending')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('notification_deliveries')
          .select('buildNotificationId')
          .where('serviceId', '=', subject.service.id)
          .where('state', '=', 'pending')
          .where('buildNotificationId', 'is not', null)
          .$castTo<{ buildNotificationId: string }>(),
      )
      .execute();
    await context.db.deleteFrom('notification_deliveries').where('serviceId', '=', subject.service.id).execute();
    await context.db.deleteFrom('notification_services').where('id', '=', subject.service.id).execute();
    return subject;
  },
});
