import { z } from 'zod';
import type { ClusterRow } from '../../../entities/database.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { oneOf } from '../../../domain/input-text.js';

/** Lists the clusters of an organization, by name or newest first. */
export const listClusters = defineOperation({
  name: 'cluster.list',
  summary: 'Lists the clusters of an organization.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    order: oneOf(['name', 'recently_created']).default('name'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { order, paging: page }, { organization }: OrganizationSubject): Promise<Page<ClusterRow>> => {
    const query = context.db.selectFrom('clusters as c').selectAll('c').where('c.organizationId', '=', organization.id);
    const byName = {
      column: 'c.name',
      id: 'c.id',
      direction: 'asc',
      key: (row: ClusterRow) => row.name,
      type: 'text',
    } as const;
    return paginate(context.db, query, order === 'name' ? byName : newestFirst<ClusterRow>('c.id'), page);
  },
});
