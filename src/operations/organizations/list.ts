import { z } from 'zod';
import type { OrganizationRow } from '../../entities/database.js';
import { defineOperation } from '../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../core/paging.js';

/** Lists the organizations that the caller is a member of and the token is valid for. */
export const listOrganizations = defineOperation({
  name: 'organization.list',
  summary: 'Lists the organizations of the caller.',
  kind: 'query',
  scope: 'read_organizations',
  access: 'authenticated',
  input: z.object({ paging: paging.default(defaultPaging) }),
  subject: async () => ({}),
  run: async (context, request): Promise<Page<OrganizationRow>> => {
    const { actor } = context;
    let query = context.db.selectFrom('organizations as o').selectAll('o');
    if (actor.kind !== 'system') {
      const roles = actor.kind === 'user' ? [...actor.roles.keys()] : [];
      const allowed = actor.kind === 'user' && actor.organizations !== 'all' ? actor.organizations : null;
      const ids = roles.filter((id) => allowed === null || allowed.has(id));
      query = ids.length > 0 ? query.where('o.id', 'in', ids) : query.where((eb) => eb.lit(false));
    }
    return paginate(context.db, query, newestFirst<OrganizationRow>('o.id'), request.paging);
  },
});
