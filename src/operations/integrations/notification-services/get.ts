import { z } from 'zod';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import {
  findNotificationService,
  type NotificationServiceSubject,
} from '../../../resources/integrations/notification-services/find-service.js';

/** Returns one notification service, by uuid or node id, without its token. */
export const getNotificationService = defineOperation({
  name: 'notification-service.get',
  summary: 'Returns one notification service.',
  kind: 'query',
  scope: 'read_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ service: inOrganization }),
  subject: (context, { service }) => findNotificationService(context, service),
  run: async (_context, _input, subject: NotificationServiceSubject) => subject,
});
