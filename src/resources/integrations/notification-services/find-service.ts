import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { NotificationServiceRow } from '../../../entities/database.js';
import type { InOrganizationAddress } from '../../../core/address.js';
import { organizationOf } from '../../../core/find-in-organization.js';
import type { OrganizationSubject } from '../../../core/subject.js';

export interface NotificationServiceSubject extends OrganizationSubject {
  service: NotificationServiceRow;
}

/** The node kind of a webhook service; there is no other kind of service. */
export const serviceKind = 'NotificationServiceWebhook';

/** Finds a notification service by uuid or node id; `lock` locks its row. */
export async function findNotificationService(
  context: Context,
  address: InOrganizationAddress,
  { lock = false } = {},
): Promise<NotificationServiceSubject | null> {
  const id = idFromEither(address.id, [serviceKind]);
  if (!id) return null;
  const query = context.db.selectFrom('notification_services').selectAll().where('id', '=', id);
  const service = await (lock ? query.forUpdate() : query).executeTakeFirst();
  const organization = service
    ? await organizationOf(context, service, 'organization' in address ? address.organization : undefined)
    : null;
  return service && organization ? { organization, service } : null;
}
