import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { checkCondition } from '../../../domain/pipelines/conditions/condition.js';
import { idFromEither } from '../../../domain/node-id.js';
import { wrongState } from '../../../domain/problem.js';
import type { OrganizationRow, RuleRow } from '../../../entities/database.js';
import type { RuleEnds } from '../../../engine/triggers/allowed-by-rule.js';
import { orMissing, text } from '../../../domain/input-text.js';

const pipeline = text(limits.filterLength);

/** A condition about the build of the source pipeline, such as `source.build.branch == "main"`. */
const condition = text(limits.conditionLength).superRefine((expression, refinement) => {
  if (expression.trim() === '') refinement.addIssue({ code: 'custom', message: 'must not be blank' });
  const problem = checkCondition(expression, 'rule');
  if (problem) refinement.addIssue({ code: 'custom', message: `${problem.message}, at column ${problem.column}` });
});

/** Source and target pipeline, each by uuid, node id or slug, and the conditions under which the rule allows. */
export const ruleValue = z.object(
  {
    source_pipeline: pipeline,
    target_pipeline: pipeline,
    conditions: z
      .array(condition, { error: 'must be a list' })
      .max(limits.ruleConditions, `must be at most ${limits.ruleConditions} conditions`)
      .nullish(),
  },
  { error: orMissing('must be an object with source_pipeline and target_pipeline') },
);
export const ruleDescription = text(limits.descriptionLength).nullish();

/**
 * Finds the pipelines of a rule in the organization; throws a sentence for a missing one and for two that are the same.
 */
export async function requireEnds(
  context: Context,
  organization: OrganizationRow,
  value: z.output<typeof ruleValue>,
): Promise<RuleEnds> {
  const sourcePipelineId = await requirePipeline(context, organization, 'source_pipeline', value.source_pipeline);
  const targetPipelineId = await requirePipeline(context, organization, 'target_pipeline', value.target_pipeline);
  if (sourcePipelineId === targetPipelineId)
    throw wrongState('Validation failed: target_pipeline must be another pipeline than source_pipeline');
  return { sourcePipelineId, targetPipelineId };
}

/**
 * Locks the pipeline's row, so that it is not deleted while a rule is created for it. Sources are locked against each
 * other: of two requests that create the same rule, the second finds it.
 */
async function requirePipeline(
  context: Context,
  organization: OrganizationRow,
  field: 'source_pipeline' | 'target_pipeline',
  named: string,
): Promise<string> {
  const id = idFromEither(named, ['Pipeline']);
  const query = context.db.selectFrom('pipelines').select('id').where('organizationId', '=', organization.id);
  const locked = field === 'source_pipeline' ? query.forNoKeyUpdate() : query.forKeyShare();
  const row = await (id === null ? locked.where('slug', '=', named) : locked.where('id', '=', id)).executeTakeFirst();
  if (!row) throw wrongState(`Validation failed: ${field} is no pipeline of this organization`);
  return row.id;
}

/** Problem for a rule that already exists. */
export const alreadyThere = () =>
  wrongState('Validation failed: there already is a rule of this type between these pipelines');

/** Records the event of a change of a rule. */
export function recordRule(context: Context, rule: RuleRow, verb: 'create' | 'update' | 'delete'): void {
  const data = {
    rule_id: rule.id,
    action: rule.action,
    source_pipeline_id: rule.sourcePipelineId,
    target_pipeline_id: rule.targetPipelineId,
  };
  context.record({
    organizationId: rule.organizationId,
    subject: 'organization',
    subjectId: rule.organizationId,
    type: `rule.${verb}`,
    data,
  });
}
