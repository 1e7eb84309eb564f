import type { Matcher } from './regexp.js';
import type { Expansion, Template } from './shell.js';

export type BinaryOperator = '==' | '!=' | '=~' | '!~' | 'includes' | '&&' | '||';

/** A parsed condition; every node knows the 1-based column it starts at (operators: the operator's own). */
export type Expression =
  | { kind: 'boolean'; value: boolean; column: number }
  | { kind: 'null'; column: number }
  | { kind: 'integer'; value: number; column: number }
  | { kind: 'string'; template: Template; column: number }
  | { kind: 'shell'; expansion: Expansion; column: number }
  | { kind: 'regexp'; matcher: Matcher; column: number }
  | { kind: 'variable'; name: string; column: number }
  | { kind: 'call'; name: string; args: Expression[]; column: number }
  | { kind: 'array'; elements: Expression[]; column: number }
  | { kind: 'not'; operand: Expression; column: number }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression; column: number }
  | { kind: 'ternary'; condition: Expression; consequent: Expression; alternative: Expression; column: number };

/** The text of a string literal that needs no environment, else null. */
export function staticText(node: Expression): string | null {
  if (node.kind !== 'string' || node.template.some((part) => typeof part !== 'string')) return null;
  return node.template.join('');
}
