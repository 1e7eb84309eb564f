import { z } from 'zod';
import { hashToken } from '../../../auth/secrets.js';
import { newSessionToken, sessionEnd } from '../../../auth/sessions.js';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { signInMethods } from '../../../domain/organizations/sso-mode.js';
import type { SessionRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { sessionColumns } from '../../../resources/organizations/sessions/own-session.js';

const input = z.object({
  userId: z.uuid(),
  method: z.enum(signInMethods),
  ipAddress: z.string().max(100).nullable(),
  userAgent: z.string().nullable(),
  /** Token of the session that the browser had until now; that one ends. */
  formerToken: z.string().max(100).nullable(),
});

export interface CreatedSession {
  /** Value of the cookie, returned by this operation only. */
  token: string;
  session: SessionRow;
}

/** Signs a user in whose identity was proven: a new session with a new token, whatever the browser had before. */
export const createSession = defineOperation({
  name: 'session.create',
  summary: 'Signs a user in to the console.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input,
  subject: async () => ({}),
  run: async (context, request): Promise<CreatedSession> => {
    if (request.formerToken !== null) {
      const tokenHash = hashToken(request.formerToken);
      await context.db.deleteFrom('sessions').where('tokenHash', '=', tokenHash).execute();
    }
    await makeRoom(context, request.userId);
    const token = newSessionToken();
    const { now } = context;
    const session = await context.db
      .insertInto('sessions')
      .values({
        id: context.newId(),
        userId: request.userId,
        method: request.method,
        tokenHash: hashToken(token),
        rotatedAt: now,
        createdAt: now,
        expiresAt: sessionEnd(now),
        lastUsedAt: now,
        ipAddress: request.ipAddress,
        userAgent: request.userAgent?.slice(0, 1000) ?? null,
      })
      .returning(sessionColumns)
      .executeTakeFirstOrThrow();
    return { token, session };
  },
});

/** Ends the sessions that were unused longest, so that one more stays within the limit. */
async function makeRoom(context: Context, userId: string): Promise<void> {
  const surplus = context.db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id', 'desc')
    .offset(limits.sessionsPerUser - 1);
  await context.db.deleteFrom('sessions').where('id', 'in', surplus).execute();
}
