import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { changeBuildExport } from '../../resources/organizations/build-export.js';

/** Has retention delete builds of an organization without exporting them; what is exported stays where it is. */
export const deleteBuildExport = defineOperation({
  name: 'organization.delete-build-export',
  summary: 'Has builds of an organization deleted by retention without an export.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: (context, _input, { organization }: OrganizationSubject) => changeBuildExport(context, organization, null),
});
