import type { Context } from '../../../context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { OrganizationRow } from '../../../entities/database.js';
import { nullable, text, time, url, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { type Links, Urls } from '../urls.js';

export const organizationResource = resource<{ organization: OrganizationRow; links: Links }>({
  id: field(uuid, 'ID of the organization.', ({ organization }) => organization.id),
  graphql_id: field(text, 'ID of the organization in the GraphQL API.', ({ organization }) =>
    encodeNodeId('Organization', organization.id),
  ),
  url: field(url, 'API URL of the organization.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the organization.', ({ links }) => links.web),
  name: field(text, 'Name of the organization.', ({ organization }) => organization.name),
  slug: field(text, 'Slug of the organization.', ({ organization }) => organization.slug),
  pipelines_url: field(url, 'API URL of the pipelines of the organization.', ({ links }) => `${links.api}/pipelines`),
  agents_url: field(url, 'API URL of the agents of the organization.', ({ links }) => `${links.api}/agents`),
  emojis_url: field(url, 'API URL of the emoji of the organization.', ({ links }) => `${links.api}/emojis`),
  created_at: field(time, 'Time the organization was created.', ({ organization }) =>
    formatTime(organization.createdAt),
  ),
});

export function presentOrganization(context: Context, organization: OrganizationRow): Promise<JsonObject> {
  return organizationResource.present({ organization, links: Urls.of(context).organization(organization) });
}

/** Settings of an organization that apply to all its pipelines. */
export const pipelineSettingsResource = resource<OrganizationRow>({
  default_cluster_id: field(
    nullable(uuid),
    'ID of the cluster of new pipelines that name none.',
    ({ defaultClusterId }) => defaultClusterId,
  ),
});

export function presentPipelineSettings(organization: OrganizationRow): Promise<JsonObject> {
  return pipelineSettingsResource.present(organization);
}
