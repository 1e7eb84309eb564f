import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { flag } from '../../domain/input-text.js';
import { invalidField } from '../../domain/problem.js';

/**
 * Says whether members of an organization must use a second factor. No account has one, so that it cannot be required:
 * clients that always send this setting with the others may send that it is not.
 */
export const setTwoFactor = defineOperation({
  name: 'organization.set-two-factor',
  summary: 'Says whether members of an organization must use two-factor authentication, which they cannot.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress, membersRequireTwoFactorAuthentication: flag }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (_context, { membersRequireTwoFactorAuthentication: required }, subject: OrganizationSubject) => {
    if (required)
      throw invalidField(
        'membersRequireTwoFactorAuthentication',
        'must be false: accounts have no second factor, require single sign-on in its place',
      );
    return subject;
  },
});
