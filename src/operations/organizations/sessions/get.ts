import { z } from 'zod';
import type { SessionRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import type { Subject } from '../../../core/subject.js';
import { sessionColumns } from '../../../resources/organizations/sessions/own-session.js';

/** Returns the session of the request; `not_found` for requests with an API token. */
export const getSession = defineOperation({
  name: 'session.get',
  summary: 'Returns the session of the request.',
  kind: 'query',
  scope: null,
  access: 'authenticated',
  input: z.object({}),
  subject: async (context): Promise<(Subject & { session: SessionRow }) | null> => {
    const { actor } = context;
    if (actor.kind !== 'user' || actor.sessionId === null) return null;
    const session = await context.db
      .selectFrom('sessions')
      .select(sessionColumns)
      .where('id', '=', actor.sessionId)
      .executeTakeFirst();
    return session ? { session } : null;
  },
  run: async (_context, _input, { session }: Subject & { session: SessionRow }) => session,
});
