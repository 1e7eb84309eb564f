import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { findWaitingDevice, type WaitingDeviceSubject } from '../../../resources/organizations/oauth/waiting-device.js';

/** Returns the program that waits for the person who has typed its code; `not_found` without one. */
export const findDevice = defineOperation({
  name: 'oauth-device.find',
  summary: 'Finds the program that waits behind a code.',
  kind: 'query',
  scope: null,
  access: 'authenticated',
  input: z.object({ userCode: z.string().max(20) }),
  subject: (context, { userCode }) => findWaitingDevice(context, userCode),
  run: async (_context, _input, subject: WaitingDeviceSubject) => subject,
});
