import { z } from 'zod';
import type { NotificationServiceRow } from '../../entities/database.js';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, type Ordering, type Page, paginate, paging } from '../paging.js';
import type { OrganizationSubject } from '../subject.js';

const oldestFirst: Ordering<NotificationServiceRow> = { column: 's.id', id: 's.id', direction: 'asc', key: (row) => row.id, type: 'uuid' };

/** The outgoing webhooks of an organization, oldest first (rest-facts 3.7). */
export const listNotificationServices = defineOperation({
  name: 'notification-service.list',
  summary: 'Lists the outgoing webhooks of an organization.',
  kind: 'query',
  scope: 'read_notification_services',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { paging: asked }, { organization }: OrganizationSubject): Promise<Page<NotificationServiceRow>> =>
    paginate(context.db, context.db.selectFrom('notification_services as s').selectAll('s').where('s.organizationId', '=', organization.id), oldestFirst, asked),
});
