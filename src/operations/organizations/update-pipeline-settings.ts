import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationRow, Patch } from '../../entities/database.js';
import { requireCluster } from '../../resources/pipelines/references.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { gitName, text, wholeNumber } from '../../domain/input-text.js';
import { jobExpiryMinutes } from '../../domain/builds/timeouts.js';
import { organizationRetention } from '../../domain/retention/policy.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { limits } from '../../domain/limits/limits.js';

const minutes = wholeNumber(1, limits.timeoutMinutes).nullish();

/** Updates what new pipelines and jobs get from their organization; null restores the default of each setting. */
export const updatePipelineSettings = defineOperation({
  name: 'organization.update-pipeline-settings',
  summary: 'Updates the pipeline settings of an organization.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    defaultBranch: gitName(limits.branchLength, { blank: true }).nullish(),
    /** Uuid or node id. */
    defaultClusterId: text(300).nullish(),
    organizationDefaultTimeoutInMinutes: minutes,
    organizationMaximumTimeoutInMinutes: minutes,
    scheduledJobExpiryInMinutes: minutes,
    retention: organizationRetention.nullish(),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization: before }: OrganizationSubject): Promise<OrganizationSubject> => {
    const clusterId = request.defaultClusterId;
    const named = clusterId ? await requireCluster(context, before, clusterId, 'defaultClusterId') : null;
    const patch: Patch<'organizations'> = {
      defaultClusterId: clusterId === undefined ? before.defaultClusterId : named,
    };
    if (request.defaultBranch !== undefined) patch.defaultBranch = request.defaultBranch || null;
    if (request.organizationDefaultTimeoutInMinutes !== undefined)
      patch.defaultTimeoutInMinutes = request.organizationDefaultTimeoutInMinutes;
    if (request.organizationMaximumTimeoutInMinutes !== undefined)
      patch.maximumTimeoutInMinutes = request.organizationMaximumTimeoutInMinutes;
    if (request.scheduledJobExpiryInMinutes !== undefined)
      patch.scheduledJobExpiryInMinutes = request.scheduledJobExpiryInMinutes ?? jobExpiryMinutes;
    if (request.retention !== undefined) patch.retention = request.retention;
    const organization = await context.db
      .updateTable('organizations')
      .set(patch)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    context.record({
      organizationId: organization.id,
      subject: 'organization',
      subjectId: organization.id,
      type: 'organization.update-pipeline-settings',
      data: settingsOf(organization),
    });
    return { organization };
  },
});

const settingsOf = (organization: OrganizationRow) => ({
  default_branch: organization.defaultBranch,
  default_cluster_id: organization.defaultClusterId,
  default_timeout_in_minutes: organization.defaultTimeoutInMinutes,
  maximum_timeout_in_minutes: organization.maximumTimeoutInMinutes,
  scheduled_job_expiry_in_minutes: organization.scheduledJobExpiryInMinutes,
  retention: organization.retention as JsonObject | null,
});
