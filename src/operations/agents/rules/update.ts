import { defineOperation } from '../../../core/operation.js';
import {
  alreadyThere,
  recordRule,
  requireEnds,
  ruleDescription,
  ruleValue,
} from '../../../resources/agents/rules/fields.js';
import { findRule, ruleInput, type RuleSubject } from '../../../resources/agents/rules/find-rule.js';

/**
 * Updates the pipelines and conditions, or the description of a rule; its type is fixed. Refuses the same input as
 * creating a rule.
 */
export const updateRule = defineOperation({
  name: 'rule.update',
  summary: 'Updates a rule.',
  kind: 'command',
  scope: 'write_rules',
  access: 'admin',
  refusal: 'sentence',
  input: ruleInput.extend({ value: ruleValue.optional(), description: ruleDescription }),
  subject: (context, input) => findRule(context, input, { lock: true }),
  run: async (context, { value, description }, { organization, rule: before }: RuleSubject): Promise<RuleSubject> => {
    const ends = value
      ? await requireEnds(context, organization, value)
      : { sourcePipelineId: before.sourcePipelineId, targetPipelineId: before.targetPipelineId };
    const other = await context.db
      .selectFrom('rules')
      .select('id')
      .where('sourcePipelineId', '=', ends.sourcePipelineId)
      .where('targetPipelineId', '=', ends.targetPipelineId)
      .where('action', '=', before.action)
      .where('id', '!=', before.id)
      .executeTakeFirst();
    if (other) throw alreadyThere();
    const rule = await context.db
      .updateTable('rules')
      .set({
        ...ends,
        ...(value ? { conditions: value.conditions ?? [] } : {}),
        ...(description === undefined ? {} : { description }),
        updatedAt: context.now,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordRule(context, rule, 'update');
    return { organization, rule };
  },
});
