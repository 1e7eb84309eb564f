import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { disconnectAgentsUnseen } from '../../engine/state/agents.js';
import { deleteClusterRows } from '../../resources/agents/clusters/delete-rows.js';
import { queueDeletions } from '../../resources/installation/deletions/queue-deletions.js';
import { deletePipelineRows } from '../../resources/pipelines/delete-rows.js';
import { deleteSuiteRows } from '../../resources/suites/delete-rows.js';

export interface DeletedOrganization extends OrganizationSubject {
  /** Numbers of pipelines, suites and clusters that were deleted with it. */
  pipelines: number;
  suites: number;
  clusters: number;
}

/**
 * Deletes an organization with its pipelines, suites, clusters, agents and memberships. It is gone at once, and its
 * slug free; rows and bytes are purged in the background. Users stay, without their membership. Only the operator of
 * the installation may: no surface offers it.
 */
export const deleteOrganization = defineOperation({
  name: 'organization.delete',
  summary: 'Deletes an organization with everything in it.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input: z.object({ organization: organizationAddress }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, _input, { organization }: OrganizationSubject): Promise<DeletedOrganization> => {
    const { db } = context;
    const { id } = organization;
    await db.selectFrom('organizations').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
    const pipelines = await db
      .selectFrom('pipelines')
      .select(['id', 'slug'])
      .where('organizationId', '=', id)
      .orderBy('id')
      .forUpdate()
      .execute();
    const suites = await db
      .selectFrom('suites')
      .select(['id', 'slug'])
      .where('organizationId', '=', id)
      .orderBy('id')
      .forUpdate()
      .execute();
    const clusters = await db
      .selectFrom('clusters')
      .select(['id', 'name'])
      .where('organizationId', '=', id)
      .orderBy('id')
      .forUpdate()
      .execute();
    await deletePipelineRows(context, id, pipelines);
    await deleteSuiteRows(context, id, suites);
    await deleteClusterRows(context, id, clusters);
    // Everything that lets somebody in; the rest is found through the organization only.
    for (const table of [
      'organization_members',
      'organization_invitations',
      'api_token_organizations',
      'agent_tokens',
      'sso_domains',
      'notification_services',
      'provider_connections',
    ] as const)
      await db.deleteFrom(table).where('organizationId', '=', id).execute();
    await disconnectAgentsUnseen(context, id);
    await queueDeletions(context, [
      { organizationId: id, resource: 'organization', resourceId: id, name: organization.slug },
    ]);
    await db.deleteFrom('organizations').where('id', '=', id).execute();
    const counts = { pipelines: pipelines.length, suites: suites.length, clusters: clusters.length };
    context.record({
      organizationId: id,
      subject: 'organization',
      subjectId: id,
      type: 'organization.delete',
      data: { slug: organization.slug, name: organization.name, ...counts },
    });
    return { organization, ...counts };
  },
});
