import { z } from 'zod';
import type { ProviderConnectionRow } from '../../../entities/database.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';

/** Lists the connections of an organization, newest first, without their tokens. */
export const listProviderConnections = defineOperation({
  name: 'provider-connection.list',
  summary: 'Lists the connections of an organization to source providers.',
  kind: 'query',
  scope: 'read_organization_repository_connections',
  access: 'member',
  input: z.object({ organization: organizationAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { paging: page }, { organization }): Promise<Page<ProviderConnectionRow>> => {
    const query = context.db
      .selectFrom('provider_connections as c')
      .selectAll('c')
      .where('c.organizationId', '=', organization.id);
    return paginate(context.db, query, newestFirst<ProviderConnectionRow>('c.id'), page);
  },
});
