import { z } from 'zod';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import type { OrganizationSubject } from '../subject.js';

/** One organization of the caller; any other is hidden. */
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
