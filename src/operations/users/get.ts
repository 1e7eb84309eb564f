import { z } from 'zod';
import type { UserRow } from '../../entities/database.js';
import { isId } from '../address.js';
import { withinMembership } from '../membership.js';
import { defineOperation } from '../operation.js';
import type { Subject } from '../subject.js';

/** One person: the caller, or anybody who shares an organization with the caller; everyone else is hidden. */
export const getUser = defineOperation({
  name: 'user.get',
  summary: 'Returns one person.',
  kind: 'query',
  scope: 'read_user',
  access: 'authenticated',
  input: z.object({ id: z.string().max(300) }),
  subject: async (context, { id }): Promise<(Subject & { user: UserRow }) | null> => {
    if (!isId(id)) return null;
    const user = await context.load.user.load(id);
    if (!user || id === context.userId) return user && { user };
    const shared = await context.db
      .selectFrom('organization_members')
      .select('id')
      .where('userId', '=', id)
      .where(withinMembership(context.actor, 'organizationId'))
      .limit(1)
      .executeTakeFirst();
    return shared ? { user } : null;
  },
  run: async (_context, _input, { user }): Promise<UserRow> => user,
});
