import { z } from 'zod';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import type { OrganizationSubject } from '../subject.js';

/** What an organization says of all its pipelines (rest-facts 3.7): the cluster that new ones are put into. */
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
