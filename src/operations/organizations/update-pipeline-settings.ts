import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import { requireCluster } from '../../resources/pipelines/references.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { text } from '../../domain/input-text.js';

/** Updates the default cluster of new pipelines; null for none. */
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
  run: async (context, request, { organization: before }: OrganizationSubject): Promise<OrganizationSubject> => {
    const clusterId = request.defaultClusterId;
    const named = clusterId ? await requireCluster(context, before, clusterId, 'defaultClusterId') : null;
    const defaultClusterId = clusterId === undefined ? before.defaultClusterId : named;
    const organization = await context.db
      .updateTable('organizations')
      .set({ defaultClusterId })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
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
