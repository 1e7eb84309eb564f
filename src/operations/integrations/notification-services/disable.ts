import { z } from 'zod';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import {
  findNotificationService,
  type NotificationServiceSubject,
} from '../../../resources/integrations/notification-services/find-service.js';

/**
 * PUT disable: stops delivery to a notification service and fails its pending deliveries. Repeating it changes nothing.
 */
export const disableNotificationService = defineOperation({
  name: 'notification-service.disable',
  summary: 'Disables a notification service.',
  kind: 'command',
  scope: 'write_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ service: inOrganization }),
  subject: (context, { service }) => findNotificationService(context, service, { lock: true }),
  run: async (context, _input, subject: NotificationServiceSubject): Promise<NotificationServiceSubject> => {
    const service = await context.db
      .updateTable('notification_services')
      .set({ enabled: false, updatedAt: context.now })
      .where('id', '=', subject.service.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...subject, service };
  },
});
