import { z } from 'zod';
import type { UserRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import type { Subject } from '../../../core/subject.js';

interface ViewerSubject extends Subject {
  user: UserRow;
}

/** Returns the user of the token; null for callers that are no user. */
export const getViewer = defineOperation({
  name: 'user.viewer',
  summary: 'Returns the user the token belongs to.',
  kind: 'query',
  scope: 'read_user',
  access: 'authenticated',
  input: z.object({}),
  subject: async (context): Promise<ViewerSubject | null> => {
    const user = context.userId === null ? null : await context.load.user.load(context.userId);
    return user && { user };
  },
  run: async (_context, _input, { user }: ViewerSubject) => user,
});
