import { z } from 'zod';
import type { UserRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { findSignedIn, type SignedInSubject } from '../../../resources/organizations/sessions/own-session.js';

/** Signs the caller out everywhere: ends all their sessions, with `others` all but the one of the request. */
export const revokeSessions = defineOperation({
  name: 'session.revoke-all',
  summary: 'Ends the sessions of the caller.',
  kind: 'command',
  scope: null,
  access: 'authenticated',
  input: z.object({ others: z.boolean().default(false) }),
  subject: (context) => findSignedIn(context),
  run: async (
    context,
    { others },
    { user, sessionId }: SignedInSubject,
  ): Promise<{ user: UserRow; revoked: string[] }> => {
    let query = context.db.deleteFrom('sessions').where('userId', '=', user.id);
    if (others) query = query.where('id', '<>', sessionId);
    const rows = await query.returning('id').execute();
    return { user, revoked: rows.map(({ id }) => id) };
  },
});
