import { stepLimits } from '../../limits/step-limits.js';

/** Text that cannot be interpolated: a required variable is missing, or an expansion is malformed. */
export class InterpolationError extends Error {
  override readonly name = 'InterpolationError';
}

type Part = string | Expansion;
type Expansion = { name: string } & (
  | { kind: 'plain' }
  | { kind: 'default'; alsoWhenEmpty: boolean; otherwise: Part[] }
  | { kind: 'required'; message: Part[] }
  | { kind: 'slice'; offset: number; length: number | null }
);

/**
 * Replaces variables in a text: `$A`, `${A}`, `${A:-d}` (unset or empty), `${A-d}` (unset), `${A?message}` (error
 * when unset), `${A:offset:length}` (negative counts from the end); `$$` and `\$` give one `$`. An unset variable is
 * empty, `$(` and a `$` before anything but a letter or brace stay. Values are not interpolated again.
 * @throws InterpolationError
 */
export function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  // Most text of a definition has nothing to replace.
  return text.includes('$') ? expand(new TemplateReader(text).parts(false), env) : text;
}

/** Names of the variables a text refers to; of an escaped reference its text after one `$`. */
export function identifiers(text: string): string[] {
  return new TemplateReader(text).identifiers();
}

/**
 * Names of the variables whose value a text takes without a default for it; none for text that cannot be interpolated.
 */
export function valuedNames(text: string): string[] {
  if (!text.includes('$')) return [];
  try {
    const parts = new TemplateReader(text).parts(false);
    return parts.flatMap((part) => (typeof part !== 'string' && part.kind !== 'default' ? [part.name] : []));
  } catch (error) {
    if (error instanceof InterpolationError) return [];
    throw error;
  }
}

/** Whether anything in a text would be replaced (escapes aside). A malformed expansion counts. */
export function hasExpansion(text: string): boolean {
  try {
    return identifiers(text).some((name) => !name.startsWith('$'));
  } catch {
    return true;
  }
}

function expand(parts: Part[], env: Readonly<Record<string, string>>): string {
  let text = '';
  for (const part of parts) {
    text += typeof part === 'string' ? part : value(part, env);
    // Variables that double one another grow beyond any memory in a few lines.
    if (text.length > stepLimits.interpolatedLength) {
      throw new InterpolationError(`Interpolated text is longer than ${stepLimits.interpolatedLength} characters`);
    }
  }
  return text;
}

function value(expansion: Expansion, env: Readonly<Record<string, string>>): string {
  const { name } = expansion;
  const text = Object.hasOwn(env, name) ? env[name] : undefined;
  switch (expansion.kind) {
    case 'plain':
      return text ?? '';
    case 'default':
      return text === undefined || (text === '' && expansion.alsoWhenEmpty) ? expand(expansion.otherwise, env) : text;
    case 'required':
      if (text === undefined) throw new InterpolationError(`$${name}: ${expand(expansion.message, env) || 'not set'}`);
      return text;
    case 'slice':
      return slice(text ?? '', expansion.offset, expansion.length);
  }
}

function slice(text: string, offset: number, length: number | null): string {
  const characters = Array.from(text);
  const start = Math.min(Math.max(offset < 0 ? offset + characters.length : offset, 0), characters.length);
  if (length === null) return characters.slice(start).join('');
  return characters.slice(start, Math.max(length < 0 ? length + characters.length : start + length, start)).join('');
}

const maxDepth = 50;

/** Recursive descent over `text`; defaults and messages hold templates themselves. */
class TemplateReader {
  private position = 0;
  private depth = 0;
  private readonly names: string[] = [];

  constructor(private readonly text: string) {}

  identifiers(): string[] {
    this.parts(false);
    return this.names;
  }

  /** Reads up to the end, or up to the closing brace of the enclosing expansion, which is left unread. */
  parts(inBrace: boolean): Part[] {
    const parts: Part[] = [];
    const plain = inBrace ? /[^$\\}]+/y : /[^$\\]+/y;
    while (this.position < this.text.length && !(inBrace && this.peek() === '}')) {
      const run = this.match(plain);
      if (run !== undefined) parts.push(run);
      else if (this.take('\\\\')) parts.push('\\\\');
      else if (this.take('\\$') || this.take('$$')) {
        this.noteEscaped();
        parts.push('$');
      } else if (this.peek() === '\\') parts.push(this.next());
      else parts.push(this.dollar());
    }
    return parts;
  }

  private dollar(): Part {
    this.position += 1;
    if (this.peek() === '{') return this.braced();
    const name = this.match(/\p{L}[\p{L}\p{N}_]*/uy);
    if (name === undefined) return '$';
    this.names.push(name);
    return { name, kind: 'plain' };
  }

  private braced(): Expansion {
    if (this.depth >= maxDepth) throw new InterpolationError(`Expansions nest deeper than ${maxDepth} levels`);
    this.depth += 1;
    this.position += 1;
    const name = this.match(/\p{L}[\p{L}\p{N}_]*/uy);
    if (name === undefined)
      throw new InterpolationError(`Expected identifier to start with a letter, got ${this.shown()}`);
    this.names.push(name);
    const expansion = this.operation(name);
    if (!this.take('}')) throw new InterpolationError(`Expected brace expansion to end with }, got ${this.shown()}`);
    this.depth -= 1;
    return expansion;
  }

  private operation(name: string): Expansion {
    if (this.peek() === '}') return { name, kind: 'plain' };
    if (this.take(':-')) return { name, kind: 'default', alsoWhenEmpty: true, otherwise: this.parts(true) };
    if (this.take('-')) return { name, kind: 'default', alsoWhenEmpty: false, otherwise: this.parts(true) };
    if (this.take('?')) return { name, kind: 'required', message: this.parts(true) };
    if (!this.take(':')) throw new InterpolationError(`Expected an operator, got ${this.shown()}`);
    const offset = this.number('offset', /[^:}]*/y);
    return { name, kind: 'slice', offset, length: this.take(':') ? this.number('length', /[^}]*/y) : null };
  }

  private number(what: string, pattern: RegExp): number {
    const written = (this.match(pattern) ?? '').trim();
    if (!/^[-+]?\d{1,15}$/.test(written))
      throw new InterpolationError(`Unable to parse ${what}: "${written}" is not a number`);
    return Number(written);
  }

  /** Text after an escaped `$` is literal; it is only scanned for the list of names. */
  private noteEscaped(): void {
    const pattern = /\p{L}[\p{L}\p{N}_]*|\{[^{}]*\}/uy;
    pattern.lastIndex = this.position;
    this.names.push(`$${pattern.exec(this.text)?.[0] ?? ''}`);
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const text = pattern.exec(this.text)?.[0];
    if (text === undefined || text === '') return undefined;
    this.position += text.length;
    return text;
  }

  private take(literal: string): boolean {
    if (!this.text.startsWith(literal, this.position)) return false;
    this.position += literal.length;
    return true;
  }

  private peek(): string {
    return this.text.charAt(this.position);
  }

  private next(): string {
    return this.text.charAt(this.position++);
  }

  private shown(): string {
    return this.position < this.text.length ? this.peek() : 'the end of the text';
  }
}
