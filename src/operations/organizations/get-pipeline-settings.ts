import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';

/** Returns the pipeline settings of an organization: what new pipelines and jobs get from it. */
export const getPipelineSettings = defineOperation({
  name: 'organization.pipeline-settings',
  summary: 'Returns the pipeline settings of an organization.',
  kind: 'query',
  scope: 'read_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (_context, _input, subject: OrganizationSubject) => subject,
});
