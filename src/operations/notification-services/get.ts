import { z } from 'zod';
import { inOrganization } from '../address.js';
import { defineOperation } from '../operation.js';
import { findNotificationService, type NotificationServiceSubject } from './find-service.js';

/** One outgoing webhook by uuid or node id; its token is never shown. */
export const getNotificationService = defineOperation({
  name: 'notification-service.get',
  summary: 'Returns one outgoing webhook.',
  kind: 'query',
  scope: 'read_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ service: inOrganization }),
  subject: (context, { service }) => findNotificationService(context, service),
  run: async (_context, _input, subject: NotificationServiceSubject) => subject,
});
