import { z } from 'zod';
import { inOrganization } from '../address.js';
import { defineOperation } from '../operation.js';
import { findDelivery, type NotificationDeliverySubject } from './find-delivery.js';

/** One delivery with the payload it carries. */
export const getNotificationDelivery = defineOperation({
  name: 'notification-delivery.get',
  summary: 'Returns one delivery of an outgoing webhook.',
  kind: 'query',
  scope: 'read_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ service: inOrganization, id: z.string().max(100) }),
  subject: (context, { service, id }) => findDelivery(context, service, id),
  run: async (_context, _input, subject: NotificationDeliverySubject) => subject,
});
