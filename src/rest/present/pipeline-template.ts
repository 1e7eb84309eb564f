import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { TemplateRow } from '../../operations/pipeline-templates/find-template.js';
import { Urls } from './urls.js';
import { presentUserById } from './user.js';
import { existing } from './values.js';

/** A pipeline template (api-v2.md, Pipeline template): its description is a string, empty where there is none. */
export async function presentTemplate(context: Context, template: TemplateRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(template.organizationId), 'an organization');
  const [createdBy, updatedBy] = await Promise.all([presentUserById(context, template.createdById), presentUserById(context, template.updatedById)]);
  const { api, web } = Urls.of(context).pipelineTemplate(organization, template.id);
  return {
    uuid: template.id,
    graphql_id: encodeNodeId('PipelineTemplate', template.id),
    name: template.name,
    description: template.description ?? '',
    configuration: template.configuration,
    available: template.available,
    url: api,
    web_url: web,
    created_at: formatTime(template.createdAt),
    created_by: createdBy,
    updated_at: formatTime(template.updatedAt),
    updated_by: updatedBy,
  };
}
