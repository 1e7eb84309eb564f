import { z } from 'zod';
import type { UserRow } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import type { Subject } from '../subject.js';

interface ViewerSubject extends Subject {
  user: UserRow;
}

/** The person behind the token; hidden from callers that are nobody. */
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
