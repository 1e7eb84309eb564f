import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { seal } from '../../../auth/sealed.js';
import {
  servicesAtMost,
  serviceProviders,
  type ServiceProvider,
} from '../../../domain/integrations/service-providers.js';
import { notificationEvents } from '../../../domain/integrations/notification-events.js';
import { withheldAtFirst } from '../../../domain/integrations/notified-states.js';
import { wrongState } from '../../../domain/problem.js';
import type { NotificationServiceRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { sendPing } from '../../../resources/integrations/notification-services/ping-service.js';
import { defineOperation } from '../../../core/operation.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { flag, oneOf, text } from '../../../domain/input-text.js';
import type { NotificationServiceSubject } from '../../../resources/integrations/notification-services/find-service.js';
import { serviceFields } from '../../../resources/integrations/notification-services/fields.js';
import {
  changedSettings,
  requireSettings,
} from '../../../resources/integrations/notification-services/service-settings.js';
import {
  type ServiceSettings,
  settingsSchema,
} from '../../../resources/integrations/notification-services/settings-fields.js';
import { tokenPurpose } from '../../../resources/integrations/notification-services/token-purpose.js';
import { checkedScope } from '../../../resources/integrations/notification-services/scope-of-service.js';

const absent = 'linear is not available: workflows of tests send webhooks and messages, and create no issues';
const provider = text(limits.filterLength)
  .refine((name) => name !== 'linear', absent)
  .pipe(oneOf(serviceProviders));

/** POST services: creates a notification service, enabled by default; an outgoing webhook is sent a `ping` at once. */
export const createNotificationService = defineOperation({
  name: 'notification-service.create',
  summary: 'Creates a notification service of an organization.',
  kind: 'command',
  scope: 'write_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    provider: provider.default('webhook'),
    description: serviceFields.description,
    enabled: flag.nullish(),
    scope: serviceFields.scope.nullish(),
    scopeUuids: serviceFields.scopeUuids.nullish(),
    branchConfiguration: serviceFields.branchConfiguration.nullish(),
    buildStates: serviceFields.buildStates.nullish(),
    settings: settingsSchema,
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, input, { organization }: OrganizationSubject): Promise<NotificationServiceSubject> => {
    const { provider, settings } = input;
    requireSettings(provider, settings);
    await refuseTooMany(context, organization.id, provider);
    const scope = input.scope ?? 'all';
    const columns =
      provider === 'webhook'
        ? webhookColumns(context, settings)
        : { ...notWebhook, ...changedSettings(context.services, provider, settings, null) };
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
        ...columns,
        provider,
        withheldStates: withheldAtFirst(input.buildStates),
        createdById: context.userId,
        createdAt: context.now,
        updatedAt: context.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (service.enabled && provider === 'webhook') await sendPing(context, service);
    return { organization, service };
  },
});

/** Columns that former releases require and read, of a service of another provider: they send nothing by them. */
const notWebhook: WebhookColumns = { url: '', sealedToken: null, tokenMode: 'token', events: [], tlsVerify: true };

type WebhookColumns = Pick<NotificationServiceRow, 'url' | 'sealedToken' | 'tokenMode' | 'events' | 'tlsVerify'>;

function webhookColumns({ services }: Context, settings: ServiceSettings): WebhookColumns {
  return {
    url: settings.url ?? '',
    sealedToken: settings.token == null ? null : seal(services.secretKey, tokenPurpose, settings.token),
    tokenMode: settings.token_mode ?? 'token',
    events: [...new Set(settings.events ?? notificationEvents)],
    tlsVerify: settings.tls_verify ?? true,
  };
}

/**
 * Throws where the organization is at its limit; counts under the row lock so that two concurrent requests cannot both
 * take the last place.
 */
async function refuseTooMany(context: Context, organizationId: string, provider: ServiceProvider): Promise<void> {
  await context.db.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute();
  const most = servicesAtMost[provider];
  const rows = await context.db
    .selectFrom('notification_services')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('provider', '=', provider)
    .limit(most)
    .execute();
  if (rows.length >= most)
    throw wrongState(
      `An organization may have at most ${most} ${provider.replaceAll('_', ' ')} service${most === 1 ? '' : 's'}.`,
    );
}
