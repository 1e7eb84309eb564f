import type { Context } from '../../../request/context.js';
import type { ServiceProvider } from '../../../domain/integrations/service-providers.js';
import { idFromEither, type NodeKind } from '../../../domain/node-id.js';
import type { NotificationServiceRow } from '../../../entities/database.js';
import type { InOrganizationAddress } from '../../../core/address.js';
import { organizationOf } from '../../../core/find-in-organization.js';
import type { OrganizationSubject } from '../../../core/subject.js';

export interface NotificationServiceSubject extends OrganizationSubject {
  service: NotificationServiceRow;
}

/** Node kind of the services of each provider, also the name of their GraphQL type. */
export const serviceKinds = {
  webhook: 'NotificationServiceWebhook',
  slack: 'NotificationServiceSlack',
  slack_workspace: 'NotificationServiceSlackWorkspace',
  aws_event_bridge: 'NotificationServiceAwsEventBridge',
  datadog_pipeline_visibility: 'NotificationServiceDatadogPipelineVisibility',
  open_telemetry_tracing: 'NotificationServiceOpenTelemetryTracing',
  event_log_api: 'NotificationServiceEventLogApi',
} as const satisfies Record<ServiceProvider, NodeKind>;

/** Every node kind of a service. */
export const allServiceKinds: readonly NodeKind[] = Object.values(serviceKinds);

/** Finds a notification service by uuid or node id; `lock` locks its row. */
export async function findNotificationService(
  context: Context,
  address: InOrganizationAddress,
  { lock = false } = {},
): Promise<NotificationServiceSubject | null> {
  const id = idFromEither(address.id, allServiceKinds);
  if (!id) return null;
  const query = context.db.selectFrom('notification_services').selectAll().where('id', '=', id);
  const service = await (lock ? query.forUpdate() : query).executeTakeFirst();
  const organization = service
    ? await organizationOf(context, service, 'organization' in address ? address.organization : undefined)
    : null;
  return service && organization ? { organization, service } : null;
}
