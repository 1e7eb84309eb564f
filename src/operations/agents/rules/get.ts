import { defineOperation } from '../../../core/operation.js';
import { findRule, ruleInput, type RuleSubject } from '../../../resources/agents/rules/find-rule.js';

/** Returns one rule of an organization; administrators only. */
export const getRule = defineOperation({
  name: 'rule.get',
  summary: 'Returns a rule.',
  kind: 'query',
  scope: 'read_rules',
  access: 'admin',
  refusal: 'sentence',
  input: ruleInput,
  subject: (context, input) => findRule(context, input),
  run: async (_context, _input, subject: RuleSubject) => subject,
});
