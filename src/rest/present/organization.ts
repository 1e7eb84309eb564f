import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { OrganizationRow } from '../../entities/database.js';
import { Urls } from './urls.js';

/** An organization (rest-facts 1.9). */
export async function presentOrganization(context: Context, organization: OrganizationRow): Promise<JsonObject> {
  const { api, web } = Urls.of(context).organization(organization);
  return {
    id: organization.id,
    graphql_id: encodeNodeId('Organization', organization.id),
    url: api,
    web_url: web,
    name: organization.name,
    slug: organization.slug,
    pipelines_url: `${api}/pipelines`,
    agents_url: `${api}/agents`,
    emojis_url: `${api}/emojis`,
    created_at: formatTime(organization.createdAt),
  };
}

/** What an organization says of all its pipelines (rest-facts 3.7). */
export function presentPipelineSettings({ defaultClusterId }: OrganizationRow): JsonObject {
  return { default_cluster_id: defaultClusterId };
}
