import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { findWaitingDevice, type WaitingDeviceSubject } from '../../../resources/organizations/oauth/waiting-device.js';

/** Refuses the program that waits behind a code; `not_found` as `oauth-device.find` has it. */
export const denyDevice = defineOperation({
  name: 'oauth-device.deny',
  summary: 'Refuses the program behind a code access.',
  kind: 'command',
  scope: null,
  access: 'authenticated',
  input: z.object({ userCode: z.string().max(20) }),
  subject: (context, { userCode }) => findWaitingDevice(context, userCode, { lock: true }),
  run: async (context, _input, subject: WaitingDeviceSubject): Promise<WaitingDeviceSubject> => {
    const { grant, user } = subject;
    await context.db
      .updateTable('oauth_grants')
      .set({ state: 'denied', userId: user.id })
      .where('id', '=', grant.id)
      .execute();
    return subject;
  },
});
