import { z } from 'zod';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import {
  findDelivery,
  type NotificationDeliverySubject,
} from '../../../resources/integrations/notification-deliveries/find-delivery.js';

/** Returns one delivery of an outgoing webhook with its payload. */
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
