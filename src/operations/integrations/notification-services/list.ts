import { z } from 'zod';
import type { NotificationServiceRow } from '../../../entities/database.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import type { OrganizationSubject } from '../../../core/subject.js';

const oldestFirst: Ordering<NotificationServiceRow> = {
  column: 's.id',
  id: 's.id',
  direction: 'asc',
  key: (row) => row.id,
  type: 'uuid',
};

/** Lists the notification services of an organization, oldest first. */
export const listNotificationServices = defineOperation({
  name: 'notification-service.list',
  summary: 'Lists the notification services of an organization.',
  kind: 'query',
  scope: 'read_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (
    context,
    { paging: page },
    { organization }: OrganizationSubject,
  ): Promise<Page<NotificationServiceRow>> =>
    paginate(
      context.db,
      context.db
        .selectFrom('notification_services as s')
        .selectAll('s')
        .where('s.organizationId', '=', organization.id),
      oldestFirst,
      page,
    ),
});
