import { z } from 'zod';
import { inOrganization } from '../address.js';
import { defineOperation } from '../operation.js';
import { findNotificationService, type NotificationServiceSubject } from './find-service.js';

/** DELETE services: the webhook and the record of its deliveries are gone; what still waited is not sent. */
export const deleteNotificationService = defineOperation({
  name: 'notification-service.delete',
  summary: 'Deletes an outgoing webhook.',
  kind: 'command',
  scope: 'write_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ service: inOrganization }),
  subject: (context, { service }) => findNotificationService(context, service, { lock: true }),
  run: async (context, _input, subject: NotificationServiceSubject): Promise<NotificationServiceSubject> => {
    await context.db.deleteFrom('notification_deliveries').where('serviceId', '=', subject.service.id).execute();
    await context.db.deleteFrom('notification_services').where('id', '=', subject.service.id).execute();
    return subject;
  },
});
