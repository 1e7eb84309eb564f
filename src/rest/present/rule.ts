import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import { typeOfAction } from '../../domain/rules.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { RuleRow } from '../../entities/database.js';
import { Urls } from './urls.js';
import { presentUserById } from './user.js';
import { existing } from './values.js';

/** A rule (rest-facts 3.7), with its description, which is of the schema. */
export async function presentRule(context: Context, rule: RuleRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(rule.organizationId), 'an organization');
  return {
    uuid: rule.id,
    graphql_id: encodeNodeId('Rule', rule.id),
    organization_uuid: rule.organizationId,
    url: `${Urls.of(context).organization(organization).api}/rules/${rule.id}`,
    type: typeOfAction(rule.action),
    description: rule.description,
    source_type: 'pipeline',
    source_uuid: rule.sourcePipelineId,
    target_type: 'pipeline',
    target_uuid: rule.targetPipelineId,
    effect: 'allow',
    action: rule.action,
    created_at: formatTime(rule.createdAt),
    created_by: await presentUserById(context, rule.createdById),
  };
}
