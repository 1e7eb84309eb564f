import type { Expression } from './ast.js';
import { staticText } from './ast.js';
import { literalEnvNameProblem } from './env.js';
import { fail } from './problem.js';
import { describeKinds, describeType } from './types.js';
import type { ValueType } from './types.js';
import { knowsStep, variableType } from './variables.js';
import type { EntryPoint } from './variables.js';

type PlainKind = Exclude<ValueType['kind'], 'enum'>;
type Call = Extract<Expression, { kind: 'call' }>;
type Binary = Extract<Expression, { kind: 'binary' }>;

const boolean: ValueType = { kind: 'boolean' };
const string: ValueType = { kind: 'string' };

class Checker {
  constructor(readonly entryPoint: EntryPoint) {}

  typeOf(node: Expression): ValueType {
    switch (node.kind) {
      case 'boolean':
      case 'null':
      case 'integer':
      case 'string':
      case 'regexp':
        return { kind: node.kind };
      case 'shell':
        return string;
      case 'variable':
        return this.#variable(node.name, node.column);
      case 'call':
        return this.#call(node);
      case 'array':
        for (const element of node.elements) this.#expect(element, 'string');
        return { kind: 'string[]' };
      case 'not':
        this.#expect(node.operand, 'boolean');
        return boolean;
      case 'binary':
        return this.#binary(node);
      case 'ternary':
        this.#expect(node.condition, 'boolean');
        return this.#compatible(node.consequent, node.alternative);
    }
  }

  #variable(name: string, column: number): ValueType {
    const type = variableType(name, this.entryPoint);
    if (type !== null) return type;
    return fail('validation', `\`${name}\` is not a variable${this.#hint(name)}`, column);
  }

  #hint(name: string): string {
    if (name.startsWith('step.') && !knowsStep(this.entryPoint)) return ' here: step variables need a step';
    const isOfSource = this.entryPoint === 'rule' && variableType(`source.${name}`, 'rule') !== null;
    return isOfSource ? ` here: write \`source.${name}\`` : '';
  }

  #call(node: Call): ValueType {
    const { name, args, column } = node;
    if (name !== 'env' && name !== 'build.env') fail('validation', `\`${name}\` is not a function`, column);
    const [argument] = args;
    if (argument === undefined || args.length !== 1) {
      return fail('validation', `\`${name}\` takes one argument, not ${args.length}`, column);
    }
    const type = this.typeOf(argument);
    if (type.kind !== 'enum') expectType(type, ['string'], argument.column);
    const literal = staticText(argument);
    const problem = literal === null ? null : literalEnvNameProblem(literal);
    if (problem !== null) fail('validation', problem, argument.column);
    return string;
  }

  #binary(node: Binary): ValueType {
    switch (node.operator) {
      case '&&':
      case '||':
        this.#expect(node.left, 'boolean');
        this.#expect(node.right, 'boolean');
        break;
      case '=~':
      case '!~':
        this.#expect(node.left, 'string', 'null');
        this.#expect(node.right, 'regexp');
        break;
      case 'includes':
        this.#expect(node.left, 'string[]', 'null');
        this.#expect(node.right, 'string', 'regexp', 'null');
        break;
      case '==':
      case '!=':
        this.#compatible(node.left, node.right);
    }
    return boolean;
  }

  /** Both sides of a comparison, both branches of a ternary: one type, null aside; gives that type. */
  #compatible(left: Expression, right: Expression): ValueType {
    const leftType = this.typeOf(left);
    const rightType = this.typeOf(right);
    if (leftType.kind === 'null') return rightType;
    if (rightType.kind === 'null') return leftType;
    if (leftType.kind !== 'enum') {
      expectType(rightType, [leftType.kind], right.column);
      return leftType;
    }
    expectType(rightType, ['string', 'null'], right.column);
    const literal = staticText(right);
    if (literal !== null && !leftType.members.includes(literal)) {
      const name = left.kind === 'variable' ? left.name : leftType.name;
      fail('validation', `${JSON.stringify(literal)} is not a valid \`${name}\``, right.column);
    }
    return leftType;
  }

  #expect(node: Expression, ...kinds: PlainKind[]): void {
    expectType(this.typeOf(node), kinds, node.column);
  }
}

function expectType(type: ValueType, kinds: PlainKind[], column: number): void {
  if (type.kind !== 'enum' && kinds.includes(type.kind)) return;
  fail('validation', `unexpected type: expected ${describeKinds(kinds)} but found ${describeType(type)}`, column);
}

/**
 * Checks names and types of the whole expression, including parts that short-circuit evaluation skips. Ends with a
 * `validation` fault, or with a `result` fault if the expression is valid but not boolean.
 */
export function checkExpression(expression: Expression, entryPoint: EntryPoint): void {
  const type = new Checker(entryPoint).typeOf(expression);
  if (type.kind !== 'boolean') fail('result', `expected a boolean result, got ${describeType(type)}`, 1);
}
