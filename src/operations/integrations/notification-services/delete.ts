import { z } from 'zod';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import {
  findNotificationService,
  type NotificationServiceSubject,
} from '../../../resources/integrations/notification-services/find-service.js';

/** DELETE services: deletes an outgoing webhook with its deliveries; pending ones are not sent. */
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
