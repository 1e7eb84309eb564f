import { z } from 'zod';
import { organizationAddress } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import {
  lockOrganizationToken,
  type OrganizationTokenSubject,
} from '../../../resources/organizations/api-tokens/organization-token.js';

/**
 * Revokes an API token's access to one organization from the next request on. The token still works elsewhere, and
 * nothing restores this access. Throws `not_found` on a repeat. Administrators only.
 */
export const revokeTokenAccess = defineOperation({
  name: 'access-token.revoke-access',
  summary: 'Revokes the access of an API token to an organization.',
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
      .values({
        apiTokenId: token.id,
        organizationId: organization.id,
        revokedById: context.userId,
        createdAt: context.now,
      })
      .execute();
    context.record({
      organizationId: organization.id,
      subject: 'organization',
      subjectId: organization.id,
      type: 'access-token.revoke-access',
      data: { access_token_id: token.id, user_id: token.userId },
    });
    return subject;
  },
});
