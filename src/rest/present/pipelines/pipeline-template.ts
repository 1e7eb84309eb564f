import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { TemplateRow } from '../../../resources/pipelines/templates/find-template.js';
import { boolean, nullable, reference, text, time, url, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { presentUserById } from '../organizations/user.js';
import { type Links, Urls } from '../urls.js';
import { existing } from '../values.js';

interface TemplateSource {
  context: Context;
  template: TemplateRow;
  links: Links;
}

export const pipelineTemplateResource = resource<TemplateSource>({
  uuid: field(uuid, 'ID of the template.', ({ template }) => template.id),
  graphql_id: field(text, 'ID of the template in the GraphQL API.', ({ template }) =>
    encodeNodeId('PipelineTemplate', template.id),
  ),
  name: field(text, 'Name of the template.', ({ template }) => template.name),
  description: field(
    text,
    'Description of the template; empty if it has none.',
    ({ template }) => template.description ?? '',
  ),
  configuration: field(text, 'Steps of the template as YAML.', ({ template }) => template.configuration),
  available: field(
    boolean,
    'Whether users who are not administrators may assign the template.',
    ({ template }) => template.available,
  ),
  url: field(url, 'API URL of the template.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the template.', ({ links }) => links.web),
  created_at: field(time, 'Time the template was created.', ({ template }) => formatTime(template.createdAt)),
  created_by: field(nullable(reference('User')), 'User who created the template.', ({ context, template }) =>
    presentUserById(context, template.createdById),
  ),
  updated_at: field(time, 'Time of the last change.', ({ template }) => formatTime(template.updatedAt)),
  updated_by: field(nullable(reference('User')), 'User who made the last change.', ({ context, template }) =>
    presentUserById(context, template.updatedById),
  ),
});

export async function presentTemplate(context: Context, template: TemplateRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(template.organizationId), 'an organization');
  const links = Urls.of(context).pipelineTemplate(organization, template.id);
  return pipelineTemplateResource.present({ context, template, links });
}
