import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { invalidField } from '../../../domain/problem.js';
import { grantableOrganizations } from '../../../resources/organizations/api-tokens/grantable-organizations.js';
import { findClient, keepClient } from '../../../resources/organizations/oauth/client.js';
import { answer, refuseManyGrants } from '../../../resources/organizations/oauth/grant.js';
import { findWaitingDevice, type WaitingDeviceSubject } from '../../../resources/organizations/oauth/waiting-device.js';

/**
 * Grants the program that waits behind a code some of the scopes that it asks for. Throws `not_found` as
 * `oauth-device.find` does, and `invalid` for organizations for which the person may make no token.
 */
export const approveDevice = defineOperation({
  name: 'oauth-device.approve',
  summary: 'Grants the program behind a code access.',
  kind: 'command',
  scope: null,
  access: 'authenticated',
  input: z.object({ userCode: z.string().max(20), ...answer }),
  subject: (context, { userCode }) => findWaitingDevice(context, userCode, { lock: true }),
  run: async (context, request, subject: WaitingDeviceSubject): Promise<WaitingDeviceSubject> => {
    const { grant, user } = subject;
    if (request.scopes.some((scope) => !grant.scopes.includes(scope)))
      throw invalidField('scopes', 'names a scope that the program has not asked for');
    await refuseManyGrants(context, user.id);
    const organizations = (await grantableOrganizations(context, request.organizations)) ?? [];
    await context.db
      .updateTable('oauth_grants')
      .set({ state: 'approved', userId: user.id, organizations, scopes: [...new Set(request.scopes)] })
      .where('id', '=', grant.id)
      .execute();
    const client = await findClient(context, grant.client);
    if (client) await keepClient(context, client);
    return subject;
  },
});
