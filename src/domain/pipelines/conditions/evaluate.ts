import type { Expression } from './ast.js';
import { Effort } from './effort.js';
import { conditionEnv, dynamicEnvNameProblem } from './env.js';
import { expand, expandTemplate } from './expand.js';
import { fail } from './problem.js';
import type { Matcher } from './regexp.js';
import { variableValue } from './variables.js';
import type { ConditionFacts, VariableValue } from './variables.js';

type Value = VariableValue | Matcher;
type Binary = Extract<Expression, { kind: 'binary' }>;

const isList = (value: Value): value is readonly string[] => Array.isArray(value);
const isMatcher = (value: Value): value is Matcher => typeof value === 'object' && value !== null && 'test' in value;

function equal(left: Value, right: Value): boolean {
  if (isList(left) && isList(right)) return left.length === right.length && left.every((item, i) => item === right[i]);
  if (isMatcher(left) && isMatcher(right)) return left.text === right.text;
  return left === right;
}

class Evaluator {
  readonly #env: ReadonlyMap<string, string>;
  readonly #effort: Effort;

  constructor(readonly facts: ConditionFacts) {
    this.#env = conditionEnv(facts);
    this.#effort = Effort.of(facts);
  }

  value(node: Expression): Value {
    switch (node.kind) {
      case 'boolean':
      case 'integer':
        return node.value;
      case 'null':
        return null;
      case 'string':
        return expandTemplate(node.template, this.#env);
      case 'shell':
        return expand(node.expansion, this.#env);
      case 'regexp':
        return node.matcher;
      case 'variable':
        return variableValue(node.name, this.facts);
      case 'call':
        return this.#call(node.name, node.args[0], node.column);
      case 'array':
        return node.elements.map((element) => this.#element(element));
      case 'not':
        return this.value(node.operand) !== true;
      case 'binary':
        return this.#binary(node);
      case 'ternary':
        return this.value(this.value(node.condition) === true ? node.consequent : node.alternative);
    }
  }

  #call(name: string, argument: Expression | undefined, column: number): Value {
    const key = argument === undefined ? null : this.value(argument);
    if (typeof key !== 'string') return fail('evaluation', `argument of \`${name}\` is not a string`, column);
    const problem = dynamicEnvNameProblem(key);
    if (problem !== null) fail('evaluation', problem, column);
    return this.#env.get(key) ?? (name === 'env' ? '' : null);
  }

  #element(node: Expression): string {
    const value = this.value(node);
    return typeof value === 'string' ? value : fail('evaluation', 'an element of an array is null', node.column);
  }

  /** Returns the deciding operand, so null remains null; `evaluateCondition` reads it as false. */
  #binary(node: Binary): Value {
    const left = this.value(node.left);
    if (node.operator === '&&') return left === true ? this.value(node.right) : left;
    if (node.operator === '||') return left === true ? left : this.value(node.right);
    const right = this.value(node.right);
    switch (node.operator) {
      case '==':
        return equal(left, right);
      case '!=':
        return !equal(left, right);
      case '=~':
        return this.#matches(right, left, node.column);
      case '!~':
        return !this.#matches(right, left, node.column);
      case 'includes':
        if (!isList(left)) return false;
        return left.some((item) => (isMatcher(right) ? this.#matches(right, item, node.column) : item === right));
    }
  }

  #matches(matcher: Value, text: Value, column: number): boolean {
    return typeof text === 'string' && isMatcher(matcher) && this.#effort.matches(matcher, text, column);
  }
}

/** Evaluates an expression that passed the check; null counts as false. Ends with an `evaluation` fault. */
export function evaluateExpression(expression: Expression, facts: ConditionFacts): boolean {
  return new Evaluator(facts).value(expression) === true;
}
