import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { OrganizationRow } from '../../../entities/database.js';
import type { Secret } from '../../../resources/agents/secrets/secret.js';
import { described, nullable, object, reference, text, time, url, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { presentUserById } from '../organizations/user.js';
import { Urls } from '../urls.js';
import { existing, timeOrNull } from '../values.js';

interface SecretSource {
  context: Context;
  secret: Secret;
  organization: OrganizationRow;
  clusterUrl: string;
}

const organizationSchema = object({
  id: described(uuid, 'ID of the organization.'),
  slug: described(text, 'Slug of the organization.'),
  url: described(url, 'API URL of the organization.'),
  web_url: described(url, 'URL of the page of the organization.'),
});

/** A secret of a cluster; its value is never shown. */
export const secretResource = resource<SecretSource>({
  id: field(uuid, 'ID of the secret.', ({ secret }) => secret.id),
  graphql_id: field(text, 'ID of the secret in the GraphQL API.', ({ secret }) =>
    encodeNodeId('ClusterSecret', secret.id),
  ),
  key: field(text, 'Key that jobs request the secret by, unique in its cluster.', ({ secret }) => secret.key),
  description: field(nullable(text), 'Description of the secret.', ({ secret }) => secret.description),
  policy: field(
    nullable(text),
    'YAML policy that says which jobs get the secret; null for all.',
    ({ secret }) => secret.policy,
  ),
  created_at: field(time, 'Time the secret was created.', ({ secret }) => formatTime(secret.createdAt)),
  created_by: field(nullable(reference('User')), 'User who created the secret.', ({ context, secret }) =>
    presentUserById(context, secret.createdById),
  ),
  updated_at: field(time, 'Time of the last change.', ({ secret }) => formatTime(secret.updatedAt)),
  updated_by: field(nullable(reference('User')), 'User who made the last change.', ({ context, secret }) =>
    presentUserById(context, secret.updatedById),
  ),
  last_read_at: field(nullable(time), 'Time a job last read the secret.', ({ secret }) =>
    timeOrNull(secret.lastReadAt),
  ),
  url: field(url, 'API URL of the secret.', ({ clusterUrl, secret }) => `${clusterUrl}/secrets/${secret.id}`),
  cluster_url: field(url, 'API URL of the cluster.', ({ clusterUrl }) => clusterUrl),
  organization: field(organizationSchema, 'Organization of the secret.', ({ context, organization }) => {
    const { api, web } = Urls.of(context).organization(organization);
    return { id: organization.id, slug: organization.slug, url: api, web_url: web };
  }),
});

export async function presentSecret(context: Context, secret: Secret): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(secret.organizationId), 'an organization');
  const clusterUrl = Urls.of(context).cluster(organization, secret.clusterId).api;
  return secretResource.present({ context, secret, organization, clusterUrl });
}
