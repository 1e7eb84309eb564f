import { z } from 'zod';
import { text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { seal } from '../../../auth/sealed.js';
import { withheldAfter } from '../../../domain/integrations/notified-states.js';
import type { NotificationServiceRow, Patch } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { serviceFields } from '../../../resources/integrations/notification-services/fields.js';
import { changedSettings } from '../../../resources/integrations/notification-services/service-settings.js';
import {
  type ServiceSettings,
  settingsSchema,
} from '../../../resources/integrations/notification-services/settings-fields.js';
import {
  findNotificationService,
  type NotificationServiceSubject,
} from '../../../resources/integrations/notification-services/find-service.js';
import { tokenPurpose } from '../../../resources/integrations/notification-services/token-purpose.js';
import { checkedScope } from '../../../resources/integrations/notification-services/scope-of-service.js';

/**
 * PATCH services: updates the fields in the request, `settings` and `buildStates` key by key; a null token deletes the
 * token.
 */
export const updateNotificationService = defineOperation({
  name: 'notification-service.update',
  summary: 'Updates a notification service.',
  kind: 'command',
  scope: 'write_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    service: inOrganization,
    provider: text(limits.filterLength).nullish(),
    description: serviceFields.description.optional(),
    scope: serviceFields.scope.optional(),
    scopeUuids: serviceFields.scopeUuids.optional(),
    branchConfiguration: serviceFields.branchConfiguration.nullish(),
    buildStates: serviceFields.buildStates.optional(),
    settings: settingsSchema.optional(),
  }),
  subject: (context, { service }) => findNotificationService(context, service, { lock: true }),
  run: async (context, input, subject: NotificationServiceSubject): Promise<NotificationServiceSubject> => {
    const { service: before } = subject;
    const { description, branchConfiguration, settings = {} } = input;
    if (input.provider != null && input.provider !== before.provider)
      throw invalidField('provider', `can't be changed: it is ${before.provider}`);
    const patch: Patch<'notification_services'> = {
      ...(before.provider === 'webhook'
        ? settingsPatch(context, settings)
        : changedSettings(context.services, before.provider, settings, before)),
      updatedAt: context.now,
    };
    if (description !== undefined) patch.description = description;
    if (branchConfiguration !== undefined) patch.branchConfiguration = branchConfiguration || null;
    if (input.buildStates !== undefined) patch.withheldStates = withheldAfter(before.withheldStates, input.buildStates);
    if (input.scope !== undefined || input.scopeUuids !== undefined) {
      patch.scope = input.scope ?? before.scope;
      patch.scopeIds = await checkedScope(
        context,
        before.organizationId,
        patch.scope,
        input.scopeUuids ?? before.scopeIds,
      );
    }
    const service = await context.db
      .updateTable('notification_services')
      .set(patch)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (service.url !== before.url) await redirectPending(context, service);
    return { ...subject, service };
  },
});

function settingsPatch(context: Context, settings: ServiceSettings): Patch<'notification_services'> {
  const patch: Patch<'notification_services'> = {};
  if (settings.url !== undefined) patch.url = settings.url;
  if (settings.token !== undefined)
    patch.sealedToken = settings.token === null ? null : seal(context.services.secretKey, tokenPurpose, settings.token);
  if (settings.token_mode !== undefined) patch.tokenMode = settings.token_mode;
  if (settings.events !== undefined) patch.events = [...new Set(settings.events)];
  if (settings.tls_verify !== undefined) patch.tlsVerify = settings.tls_verify;
  return patch;
}

/** Makes pending deliveries due at once after a change of the URL, so that the new receiver gets them without delay. */
async function redirectPending(context: Context, service: NotificationServiceRow): Promise<void> {
  await context.db
    .updateTable('notification_deliveries')
    .set({ url: service.url, nextAttemptAt: context.now })
    .where('receiver', '=', service.id)
    .where('state', '=', 'pending')
    .execute();
  context.recorder.notifies = true;
}
