import { defineOperation } from '../operation.js';
import { findRule, ruleInput, type RuleSubject } from './find-rule.js';

/** One rule of an organization (rest-facts 3.7, rules); administrators only. */
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
