import type { Expression } from './ast.js';
import { parseExpression } from './parser.js';
import { attempt } from './problem.js';
import { type ConditionFacts, variableValue } from './variables.js';

const longestValue = 100;
const namesAtMost = 10;

/** The variables that a condition names with their values, such as `build.branch = "main"`; for whoever wonders why. */
export function namedValues(expression: string, facts: ConditionFacts): string[] {
  const parsed = attempt(() => parseExpression(expression));
  if (!parsed.ok) return [];
  const names = new Set<string>();
  collect(parsed.value, names);
  return [...names].slice(0, namesAtMost).map((name) => {
    const text = JSON.stringify(variableValue(name, facts));
    return `${name} = ${text.length > longestValue ? `${text.slice(0, longestValue)}…` : text}`;
  });
}

function collect(node: Expression, names: Set<string>): void {
  if (node.kind === 'variable') names.add(node.name);
  else if (node.kind === 'not') collect(node.operand, names);
  else if (node.kind === 'call') for (const each of node.args) collect(each, names);
  else if (node.kind === 'array') for (const each of node.elements) collect(each, names);
  else if (node.kind === 'binary') for (const each of [node.left, node.right]) collect(each, names);
  else if (node.kind === 'ternary')
    for (const each of [node.condition, node.consequent, node.alternative]) collect(each, names);
}
