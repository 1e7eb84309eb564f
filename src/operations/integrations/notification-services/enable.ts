import { z } from 'zod';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import {
  findNotificationService,
  type NotificationServiceSubject,
} from '../../../resources/integrations/notification-services/find-service.js';

/**
 * PUT enable: resumes delivery to a notification service, also one that is broken; events missed while it was disabled
 * are not sent. Repeating it changes nothing.
 */
export const enableNotificationService = defineOperation({
  name: 'notification-service.enable',
  summary: 'Enables a notification service.',
  kind: 'command',
  scope: 'write_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ service: inOrganization }),
  subject: (context, { service }) => findNotificationService(context, service, { lock: true }),
  run: async (context, _input, subject: NotificationServiceSubject): Promise<NotificationServiceSubject> => {
    const service = await context.db
      .updateTable('notification_services')
      .set({ enabled: true, brokenAt: null, failures: 0, failingSinceAt: null, updatedAt: context.now })
      .where('id', '=', subject.service.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...subject, service };
  },
});
