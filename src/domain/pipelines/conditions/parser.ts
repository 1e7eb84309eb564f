import { limits } from '../../limits/limits.js';
import type { BinaryOperator, Expression } from './ast.js';
import { tokenize } from './lexer.js';
import type { Sign, Token } from './lexer.js';
import { fail } from './problem.js';
import type { Effort } from './effort.js';
import { compileRegexp } from './regexp.js';

/**
 * Binding power: `||` binds less than `&&`, that less than the comparisons; the ternary least of all. `!` binds less
 * than a comparison and more than `&&`: `!build.env("X") =~ /y/`, which public pipelines have, is the negation of a
 * match. Of two truth values both readings of `!a == b` are the same.
 */
const comparison = 3;
const power: Partial<Record<Sign, number>> = {
  '||': 1,
  '&&': 2,
  '==': comparison,
  '!=': comparison,
  '=~': comparison,
  '!~': comparison,
  includes: comparison,
};

class Parser {
  #at = 0;
  #depth = 0;
  /** Instructions of the regular expressions compiled so far. */
  #program = 0;

  constructor(
    readonly tokens: Token[],
    readonly effort: Effort | undefined,
  ) {}

  parse(): Expression {
    if (this.#peek().type === 'end') fail('parse', 'empty expression', 1);
    const expression = this.#ternary();
    const rest = this.#peek();
    if (rest.type !== 'end') fail('parse', `unexpected ${rest.text} after the expression`, rest.column);
    return expression;
  }

  #ternary(): Expression {
    return this.#deeper(() => {
      const condition = this.#binary(1);
      const column = this.#peek().column;
      if (!this.#take('?')) return condition;
      const consequent = this.#ternary();
      this.#expect(':');
      return { kind: 'ternary', condition, consequent, alternative: this.#ternary(), column };
    });
  }

  #binary(least: number): Expression {
    let left = this.#unary();
    for (;;) {
      const token = this.#peek();
      const binding = token.type === 'symbol' ? (power[token.text] ?? 0) : 0;
      if (binding < least) break;
      this.#at++;
      const right = this.#binary(binding + 1);
      left = { kind: 'binary', operator: token.text as BinaryOperator, left, right, column: token.column };
    }
    return left;
  }

  #unary(): Expression {
    const { column } = this.#peek();
    if (!this.#take('!')) return this.#primary();
    return this.#deeper(() => ({ kind: 'not', operand: this.#binary(comparison), column }));
  }

  #primary(): Expression {
    const token = this.#peek();
    const { column } = token;
    this.#at++;
    switch (token.type) {
      case 'keyword':
        return token.text === 'null'
          ? { kind: 'null', column }
          : { kind: 'boolean', value: token.text === 'true', column };
      case 'integer':
        return { kind: 'integer', value: token.value, column };
      case 'string':
        return { kind: 'string', template: token.template, column };
      case 'shell':
        return { kind: 'shell', expansion: token.expansion, column };
      case 'regexp':
        return this.#regexp(token);
      case 'identifier':
        if (!this.#take('(')) return { kind: 'variable', name: token.text, column };
        return { kind: 'call', name: token.text, args: this.#list(')'), column };
      case 'symbol':
        if (token.text === '(') return this.#group();
        if (token.text === '[') return { kind: 'array', elements: this.#list(']'), column };
        return fail('parse', `unexpected ${token.text}`, column);
      case 'end':
        return fail('parse', 'unexpected end of the expression', column);
    }
  }

  #group(): Expression {
    const inner = this.#ternary();
    this.#expect(')');
    return inner;
  }

  /** Compiling takes time in the size of the program, so all of a condition's programs together are bounded. */
  #regexp(token: Extract<Token, { type: 'regexp' }>): Expression {
    const compiled = compileRegexp(token.pattern, token.flags);
    if (!compiled.ok) return fail('parse', compiled.message, token.column);
    this.#program += compiled.matcher.size;
    if (this.#program > limits.conditionProgramSize)
      fail('parse', 'the regular expressions of one condition are too large together', token.column);
    this.effort?.compiled(compiled.matcher, token.column);
    return { kind: 'regexp', matcher: compiled.matcher, column: token.column };
  }

  #list(close: Sign): Expression[] {
    const items: Expression[] = [];
    if (this.#take(close)) return items;
    do items.push(this.#ternary());
    while (this.#take(','));
    this.#expect(close);
    return items;
  }

  #peek(): Token {
    return this.tokens[this.#at] ?? { type: 'end', text: '', column: 1 };
  }

  #take(text: Sign): boolean {
    const token = this.#peek();
    if (token.type !== 'symbol' || token.text !== text) return false;
    this.#at++;
    return true;
  }

  #expect(text: Sign): void {
    const token = this.#peek();
    if (!this.#take(text))
      fail('parse', `expected ${text}, got ${token.text || 'the end of the expression'}`, token.column);
  }

  /** Bounds the recursion here; the depth of operator chains is bounded by the length of the expression. */
  #deeper<T>(inner: () => T): T {
    if (++this.#depth > limits.conditionDepth) fail('parse', 'expression is nested too deeply', this.#peek().column);
    const result = inner();
    this.#depth--;
    return result;
  }
}

/**
 * Parses a whole expression, and charges `effort` if it will be evaluated; ends with a `parse` fault at the column of
 * the first error.
 */
export function parseExpression(source: string, effort?: Effort): Expression {
  if (source.length > limits.conditionLength) {
    fail('parse', `expression is longer than ${limits.conditionLength} characters`, limits.conditionLength + 1);
  }
  return new Parser(tokenize(source), effort).parse();
}
