import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { buildMailChoices } from '../../../domain/integrations/build-mail.js';
import type { UserRow } from '../../../entities/database.js';
import { findSignedIn, type SignedInSubject } from '../../../resources/organizations/sessions/own-session.js';

/** Changes which ends of their own builds the caller gets by mail. */
export const changeBuildMail = defineOperation({
  name: 'user.change-build-mail',
  summary: 'Changes which ends of their own builds the caller gets by mail.',
  kind: 'command',
  scope: null,
  access: 'authenticated',
  input: z.object({ buildMail: z.enum(buildMailChoices) }),
  subject: (context) => findSignedIn(context),
  run: async (context, { buildMail }, { user }: SignedInSubject): Promise<{ user: UserRow }> => {
    await context.db.updateTable('users').set({ buildMail }).where('id', '=', user.id).execute();
    return { user: { ...user, buildMail } };
  },
});
