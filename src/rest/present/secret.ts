import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { Secret } from '../../operations/secrets/secret.js';
import { Urls } from './urls.js';
import { presentUserById } from './user.js';
import { existing, timeOrNull } from './values.js';

/** A secret of a cluster; never its value (rest-facts 3.6). */
export async function presentSecret(context: Context, secret: Secret): Promise<JsonObject> {
  const [organizationRow, createdBy, updatedBy] = await Promise.all([
    context.load.organization.load(secret.organizationId),
    presentUserById(context, secret.createdById),
    presentUserById(context, secret.updatedById),
  ]);
  const organization = existing(organizationRow, 'an organization');
  const urls = Urls.of(context);
  const cluster = urls.cluster(organization, secret.clusterId).api;
  return {
    id: secret.id,
    graphql_id: encodeNodeId('ClusterSecret', secret.id),
    key: secret.key,
    description: secret.description,
    policy: secret.policy,
    created_at: formatTime(secret.createdAt),
    created_by: createdBy,
    updated_at: formatTime(secret.updatedAt),
    updated_by: updatedBy,
    last_read_at: timeOrNull(secret.lastReadAt),
    url: `${cluster}/secrets/${secret.id}`,
    cluster_url: cluster,
    organization: { id: organization.id, slug: organization.slug, url: urls.organization(organization).api, web_url: urls.organization(organization).web },
  };
}
