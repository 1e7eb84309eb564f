import { z } from 'zod';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import { requireCluster } from '../pipelines/references.js';
import type { OrganizationSubject } from '../subject.js';
import { text } from '../text.js';

/** Changes the cluster that new pipelines are put into where they name none (compatibility 9); null for no such cluster. */
export const updatePipelineSettings = defineOperation({
  name: 'organization.update-pipeline-settings',
  summary: 'Updates the pipeline settings of an organization.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    /** Uuid or node id. */
    defaultClusterId: text(300).nullish(),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, given, { organization: before }: OrganizationSubject): Promise<OrganizationSubject> => {
    const wanted = given.defaultClusterId;
    const defaultClusterId = wanted === undefined ? before.defaultClusterId : wanted ? await requireCluster(context, before, wanted, 'defaultClusterId') : null;
    const organization = await context.db.updateTable('organizations').set({ defaultClusterId }).where('id', '=', before.id).returningAll().executeTakeFirstOrThrow();
    context.record({
      organizationId: organization.id,
      subject: 'organization',
      subjectId: organization.id,
      type: 'organization.update-pipeline-settings',
      data: { default_cluster_id: defaultClusterId },
    });
    return { organization };
  },
});
