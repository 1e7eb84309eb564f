import { z } from 'zod';
import { idleSince } from '../../../auth/sessions.js';
import type { SessionRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import {
  findSignedIn,
  sessionColumns,
  type SignedInSubject,
} from '../../../resources/organizations/sessions/own-session.js';

/** Lists the sessions of the person who is signed in, newest first, without those that are over. */
export const listSessions = defineOperation({
  name: 'session.list',
  summary: 'Lists where the caller is signed in to the console.',
  kind: 'query',
  scope: null,
  access: 'authenticated',
  input: z.object({ paging: paging.default(defaultPaging) }),
  subject: (context) => findSignedIn(context),
  run: async (context, request, { user }: SignedInSubject): Promise<Page<SessionRow>> => {
    const query = context.db
      .selectFrom('sessions as s')
      .select(sessionColumns.map((column) => `s.${column}` as const))
      .where('s.userId', '=', user.id)
      .where('s.expiresAt', '>', context.now)
      .where('s.lastUsedAt', '>', idleSince(context.now));
    return paginate(context.db, query, newestFirst<SessionRow>('s.id'), request.paging);
  },
});
