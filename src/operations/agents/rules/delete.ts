import { defineOperation } from '../../../core/operation.js';
import { recordRule } from '../../../resources/agents/rules/fields.js';
import { findRule, ruleInput, type RuleSubject } from '../../../resources/agents/rules/find-rule.js';

/** Deletes a rule and returns it as it was; builds that it allowed go on. */
export const deleteRule = defineOperation({
  name: 'rule.delete',
  summary: 'Deletes a rule.',
  kind: 'command',
  scope: 'write_rules',
  access: 'admin',
  refusal: 'sentence',
  input: ruleInput,
  subject: (context, input) => findRule(context, input, { lock: true }),
  run: async (context, _input, subject: RuleSubject): Promise<RuleSubject> => {
    await context.db.deleteFrom('rules').where('id', '=', subject.rule.id).execute();
    recordRule(context, subject.rule, 'delete');
    return subject;
  },
});
