import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { idFromEither } from '../../../domain/node-id.js';
import { lockOwnSession, type SessionSubject } from '../../../resources/organizations/sessions/own-session.js';

/**
 * Ends one session of the person who is signed in, by uuid or node id: its browser is signed out at the next request.
 */
export const revokeSession = defineOperation({
  name: 'session.revoke',
  summary: 'Ends a session of the caller.',
  kind: 'command',
  scope: null,
  access: 'authenticated',
  input: z.object({ id: z.string().max(300) }),
  subject: (context, { id }) => lockOwnSession(context, idFromEither(id, ['Session'])),
  run: async (context, _input, subject: SessionSubject): Promise<SessionSubject> => {
    await context.db.deleteFrom('sessions').where('id', '=', subject.session.id).execute();
    return subject;
  },
});
