import type { Context } from '../../../request/context.js';
import { ruleActions, ruleTypes, typeOfAction } from '../../../domain/agents/organization-rules.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { RuleRow } from '../../../entities/database.js';
import { arrayOf, enumOf, nullable, reference, text, time, url, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { presentUserById } from '../organizations/user.js';
import { Urls } from '../urls.js';
import { existing } from '../values.js';

interface RuleSource {
  context: Context;
  rule: RuleRow;
  organizationUrl: string;
}

export const ruleResource = resource<RuleSource>({
  uuid: field(uuid, 'ID of the rule.', ({ rule }) => rule.id),
  graphql_id: field(text, 'ID of the rule in the GraphQL API.', ({ rule }) => encodeNodeId('Rule', rule.id)),
  organization_uuid: field(uuid, 'ID of the organization.', ({ rule }) => rule.organizationId),
  url: field(url, 'API URL of the rule.', ({ rule, organizationUrl }) => `${organizationUrl}/rules/${rule.id}`),
  type: field(enumOf(...ruleTypes), 'What the rule is about.', ({ rule }) => typeOfAction(rule.action)),
  description: field(nullable(text), 'Description of the rule.', ({ rule }) => rule.description),
  source_type: field(enumOf('pipeline'), 'Type of the source.', () => 'pipeline'),
  source_uuid: field(uuid, 'ID of the pipeline that may act.', ({ rule }) => rule.sourcePipelineId),
  target_type: field(enumOf('pipeline'), 'Type of the target.', () => 'pipeline'),
  target_uuid: field(uuid, 'ID of the pipeline that the source may act on.', ({ rule }) => rule.targetPipelineId),
  conditions: field(
    arrayOf(text),
    'Conditions about the build of the source; the rule allows where all are true. Empty for always.',
    ({ rule }) => rule.conditions,
  ),
  effect: field(enumOf('allow'), 'Effect of the rule.', () => 'allow'),
  action: field(enumOf(...ruleActions), 'Action that the rule allows.', ({ rule }) => rule.action),
  created_at: field(time, 'Time the rule was created.', ({ rule }) => formatTime(rule.createdAt)),
  created_by: field(nullable(reference('User')), 'User who created the rule.', ({ context, rule }) =>
    presentUserById(context, rule.createdById),
  ),
});

export async function presentRule(context: Context, rule: RuleRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(rule.organizationId), 'an organization');
  return ruleResource.present({ context, rule, organizationUrl: Urls.of(context).organization(organization).api });
}
