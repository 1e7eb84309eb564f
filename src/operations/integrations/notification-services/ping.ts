import { z } from 'zod';
import { wrongState } from '../../../domain/problem.js';
import { inOrganization } from '../../../core/address.js';
import { sendPing } from '../../../resources/integrations/notification-services/ping-service.js';
import { defineOperation } from '../../../core/operation.js';
import {
  findNotificationService,
  type NotificationServiceSubject,
} from '../../../resources/integrations/notification-services/find-service.js';

/** Providers whose receivers can do something with a ping. */
const pinged: ReadonlySet<string> = new Set(['webhook', 'slack', 'event_log_api']);

/** Sends a `ping` event so that a receiver can be tested without a build; refused while the service is disabled. */
export const pingNotificationService = defineOperation({
  name: 'notification-service.ping',
  summary: 'Sends a ping to a notification service.',
  kind: 'command',
  scope: 'write_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ service: inOrganization }),
  subject: (context, { service }) => findNotificationService(context, service, { lock: true }),
  run: async (context, _input, subject: NotificationServiceSubject): Promise<NotificationServiceSubject> => {
    if (!subject.service.enabled) throw wrongState('The service is disabled');
    if (!pinged.has(subject.service.provider))
      throw wrongState(`A ${subject.service.provider} service has no ping: it gets events only`);
    await sendPing(context, subject.service);
    return subject;
  },
});
