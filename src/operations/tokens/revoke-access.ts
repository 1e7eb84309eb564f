import { z } from 'zod';
import { organizationAddress } from '../address.js';
import { defineOperation } from '../operation.js';
import { lockOrganizationToken, type OrganizationTokenSubject } from './organization-token.js';

/**
 * Takes an API token's access to one organization back, from the next request on; elsewhere it goes on working, and
 * nothing gives it this access again (rulings 13). A second time the token is not there. Administrators only.
 */
export const revokeTokenAccess = defineOperation({
  name: 'access-token.revoke-access',
  summary: 'Takes the access of an API token to an organization back.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ token: z.object({ organization: organizationAddress, id: z.string().max(300) }) }),
  subject: (context, { token }) => lockOrganizationToken(context, token),
  run: async (context, _input, subject: OrganizationTokenSubject): Promise<OrganizationTokenSubject> => {
    const { organization, token } = subject;
    await context.db
      .insertInto('api_token_revocations')
      .values({ apiTokenId: token.id, organizationId: organization.id, revokedById: context.userId, createdAt: context.now })
      .execute();
    context.record({
      organizationId: organization.id, subject: 'organization', subjectId: organization.id, type: 'access-token.revoke-access', data: { access_token_id: token.id, user_id: token.userId },
    });
    return subject;
  },
});
