import type { Rule } from 'eslint';

export const nounsForThings: Rule.RuleModule;
export const shortLines: Rule.RuleModule;
