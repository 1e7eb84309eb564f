import { z } from 'zod';
import { seal } from '../../../auth/sealed.js';
import { limits } from '../../../domain/limits/limits.js';
import { notificationEvents } from '../../../domain/integrations/notification-events.js';
import { withheldAtFirst } from '../../../domain/integrations/notified-states.js';
import { wrongState } from '../../../domain/problem.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { sendPing } from '../../../resources/integrations/notification-services/ping-service.js';
import { defineOperation } from '../../../core/operation.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { flag, oneOf } from '../../../domain/input-text.js';
import type { NotificationServiceSubject } from '../../../resources/integrations/notification-services/find-service.js';
import {
  receiverUrl,
  serviceFields,
  settingsSchema,
} from '../../../resources/integrations/notification-services/fields.js';
import { tokenPurpose } from '../../../resources/integrations/notification-services/token-purpose.js';
import { checkedScope } from '../../../resources/integrations/notification-services/scope-of-service.js';

/** POST services: creates an outgoing webhook, enabled by default, and sends it a `ping` at once. */
export const createNotificationService = defineOperation({
  name: 'notification-service.create',
  summary: 'Creates an outgoing webhook of an organization.',
  kind: 'command',
  scope: 'write_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    provider: oneOf(['webhook']).default('webhook'),
    description: serviceFields.description,
    enabled: flag.nullish(),
    scope: serviceFields.scope.nullish(),
    scopeUuids: serviceFields.scopeUuids.nullish(),
    branchConfiguration: serviceFields.branchConfiguration.nullish(),
    buildStates: serviceFields.buildStates.nullish(),
    settings: settingsSchema.extend({ url: receiverUrl }),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, input, { organization }: OrganizationSubject): Promise<NotificationServiceSubject> => {
    const { settings } = input;
    await refuseTooMany(context, organization.id);
    const scope = input.scope ?? 'all';
    const service = await context.db
      .insertInto('notification_services')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        description: input.description,
        enabled: input.enabled ?? true,
        scope,
        scopeIds: await checkedScope(context, organization.id, scope, input.scopeUuids ?? []),
        branchConfiguration: input.branchConfiguration || null,
        url: settings.url,
        sealedToken: settings.token == null ? null : seal(context.services.secretKey, tokenPurpose, settings.token),
        tokenMode: settings.token_mode ?? 'token',
        events: [...new Set(settings.events ?? notificationEvents)],
        withheldStates: withheldAtFirst(input.buildStates),
        tlsVerify: settings.tls_verify ?? true,
        createdById: context.userId,
        createdAt: context.now,
        updatedAt: context.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (service.enabled) await sendPing(context, service);
    return { organization, service };
  },
});

/**
 * Throws where the organization is at its limit; counts under the row lock so that two concurrent requests cannot both
 * take the last place.
 */
async function refuseTooMany(context: Parameters<typeof sendPing>[0], organizationId: string): Promise<void> {
  await context.db.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute();
  const rows = await context.db
    .selectFrom('notification_services')
    .select('id')
    .where('organizationId', '=', organizationId)
    .limit(limits.webhookServices)
    .execute();
  if (rows.length >= limits.webhookServices)
    throw wrongState(`An organization may have at most ${limits.webhookServices} webhook services.`);
}
