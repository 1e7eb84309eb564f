import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';

/** Returns one organization of the caller; any other is hidden. */
export const getOrganization = defineOperation({
  name: 'organization.get',
  summary: 'Returns one organization.',
  kind: 'query',
  scope: 'read_organizations',
  access: 'member',
  input: z.object({ organization: organizationAddress }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (_context, _input, { organization }: OrganizationSubject) => organization,
});
