import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';

/**
 * Returns the conditions of an organization for API tokens: allowed addresses, days without a use, and creation by
 * members.
 */
export const getApiSettings = defineOperation({
  name: 'organization.api-settings',
  summary: 'Returns the API settings of an organization.',
  kind: 'query',
  scope: 'read_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (_context, _input, subject: OrganizationSubject) => subject,
});
