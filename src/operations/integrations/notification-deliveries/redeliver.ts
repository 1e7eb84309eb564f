import { z } from 'zod';
import { wrongState } from '../../../domain/problem.js';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { againAs } from '../../../resources/integrations/notification-deliveries/again.js';
import {
  findDelivery,
  type NotificationDeliverySubject,
} from '../../../resources/integrations/notification-deliveries/find-delivery.js';

/**
 * Sends an event again with its original payload: creates a new delivery with attempts of its own. Refuses a pending
 * delivery, which will be sent anyway.
 */
export const redeliverNotification = defineOperation({
  name: 'notification-delivery.redeliver',
  summary: 'Sends the event of a delivery again.',
  kind: 'command',
  scope: 'write_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ service: inOrganization, id: z.string().max(100) }),
  subject: (context, { service, id }) => findDelivery(context, service, id, true),
  run: async (context, _input, subject: NotificationDeliverySubject): Promise<NotificationDeliverySubject> => {
    const { delivery: before, service } = subject;
    if (!service.enabled) throw wrongState('The service is disabled');
    if (before.state === 'pending') throw wrongState('The delivery is still being tried');
    const delivery = await context.db
      .insertInto('notification_deliveries')
      .values({ ...againAs(context, before), url: before.channel === 'webhook' ? service.url : before.url })
      .returningAll()
      .executeTakeFirstOrThrow();
    context.recorder.notifies = true;
    return { ...subject, delivery };
  },
});
