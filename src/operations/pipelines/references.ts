import { standing } from '../../auth/authorize.js';
import type { Context } from '../../context.js';
import { idFromEither } from '../../domain/node-id.js';
import { invalidField } from '../../domain/problem.js';
import type { OrganizationRow } from '../../entities/database.js';

const unknown = 'does not exist';

/** The id of the organization's cluster that a uuid or node id names, kept from being deleted meanwhile; 422 on `field` for any other. */
export async function requireCluster(context: Context, organization: OrganizationRow, given: string, field = 'clusterId'): Promise<string> {
  const id = idFromEither(given, ['Cluster']);
  const cluster = id && (await context.db.selectFrom('clusters').select('id').where('id', '=', id).where('organizationId', '=', organization.id).forKeyShare().executeTakeFirst());
  if (!cluster) throw invalidField(field, unknown);
  return cluster.id;
}

/**
 * The cluster of a new pipeline. Absent or blank, as older clients send it, means the organization's default cluster
 * and is refused where there is none (compatibility 9); an explicit null means no cluster (api-v2, `cluster_id`).
 */
export async function clusterForCreation(context: Context, organization: OrganizationRow, given: string | null | undefined): Promise<string | null> {
  if (given) return requireCluster(context, organization, given);
  if (given === null) return null;
  if (organization.defaultClusterId !== null) return organization.defaultClusterId;
  throw invalidField('clusterId', given === undefined ? 'missing' : 'can\'t be blank');
}

/**
 * The id of the pipeline template that a uuid or node id names; 422 on `pipelineTemplateId` where the plan has no
 * templates, and for one that is not there. To non-administrators a template that is not available is not there
 * (api-v2, Authentication 5). The template cannot be deleted before the transaction ends.
 */
export async function requireTemplate(context: Context, organization: OrganizationRow, given: string): Promise<string> {
  if (organization.plan !== 'enterprise') throw invalidField('pipelineTemplateId', 'requires the enterprise plan');
  const id = idFromEither(given, ['PipelineTemplate']);
  const template = id && (await context.db.selectFrom('pipeline_templates').select(['id', 'available']).where('id', '=', id).where('organizationId', '=', organization.id).forShare().executeTakeFirst());
  const role = standing(context.actor, organization.id);
  if (!template || !(template.available || role === 'admin' || role === 'system')) throw invalidField('pipelineTemplateId', unknown);
  return template.id;
}
