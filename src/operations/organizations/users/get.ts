import { z } from 'zod';
import type { UserRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { withinMembership } from '../../../core/membership.js';
import { defineOperation } from '../../../core/operation.js';
import type { Subject } from '../../../core/subject.js';

/** Returns one user: the caller, or someone who shares an organization with the caller; others are hidden. */
export const getUser = defineOperation({
  name: 'user.get',
  summary: 'Returns one user.',
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
