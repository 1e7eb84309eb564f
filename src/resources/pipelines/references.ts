import { standing } from '../../auth/authorize.js';
import type { Context } from '../../request/context.js';
import { idFromEither } from '../../domain/node-id.js';
import { invalidField } from '../../domain/problem.js';
import type { OrganizationRow } from '../../entities/database.js';

const unknown = 'does not exist';

/**
 * Finds the id of the organization's cluster by uuid or node id and locks it against deletion; throws 422 on `field`
 * for any other.
 */
export async function requireCluster(
  context: Context,
  organization: OrganizationRow,
  value: string,
  field = 'clusterId',
): Promise<string> {
  const id = idFromEither(value, ['Cluster']);
  const cluster =
    id &&
    (await context.db
      .selectFrom('clusters')
      .select('id')
      .where('id', '=', id)
      .where('organizationId', '=', organization.id)
      .forKeyShare()
      .executeTakeFirst());
  if (!cluster) throw invalidField(field, unknown);
  return cluster.id;
}

/**
 * Returns the cluster of a new pipeline. Absent or blank, as older clients send it, means the organization's default
 * cluster, without which a blank one is refused here and an absent one before; an explicit null means no cluster.
 */
export async function clusterForCreation(
  context: Context,
  organization: OrganizationRow,
  value: string | null | undefined,
): Promise<string | null> {
  if (value) return requireCluster(context, organization, value);
  if (value === null) return null;
  if (organization.defaultClusterId !== null) return organization.defaultClusterId;
  throw invalidField('clusterId', "can't be blank");
}

/**
 * Finds the id of a pipeline template by uuid or node id; throws 422 on `pipelineTemplateId` where the plan has no
 * templates, and for a missing one. Unavailable templates are missing for non-administrators. The template cannot be
 * deleted before the transaction ends.
 */
export async function requireTemplate(context: Context, organization: OrganizationRow, value: string): Promise<string> {
  if (organization.plan !== 'enterprise') throw invalidField('pipelineTemplateId', 'requires the enterprise plan');
  const id = idFromEither(value, ['PipelineTemplate']);
  const template =
    id &&
    (await context.db
      .selectFrom('pipeline_templates')
      .select(['id', 'available'])
      .where('id', '=', id)
      .where('organizationId', '=', organization.id)
      .forShare()
      .executeTakeFirst());
  const role = standing(context.actor, organization.id);
  if (!template || !(template.available || role === 'admin' || role === 'system'))
    throw invalidField('pipelineTemplateId', unknown);
  return template.id;
}
