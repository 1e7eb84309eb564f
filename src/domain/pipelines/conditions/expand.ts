import { fail } from './problem.js';
import type { Expansion, Template } from './shell.js';

type Env = ReadonlyMap<string, string>;

function integer(template: Template, env: Env, column: number): number {
  const text = expandTemplate(template, env).trim();
  if (!/^-?[0-9]+$/.test(text)) {
    fail('evaluation', `substring operation requires integer argument, not ${JSON.stringify(text)}`, column);
  }
  return Number(text);
}

/** Offsets count characters (code points); negative ones count from the end. */
function substring(value: string, offset: number, length: number | null): string {
  const characters = [...value];
  const from = offset < 0 ? Math.max(0, characters.length + offset) : offset;
  if (length === null) return characters.slice(from).join('');
  const to = length < 0 ? characters.length + length : from + length;
  return characters.slice(from, Math.max(from, to)).join('');
}

/** The value of one expansion, null where the variable is unset and nothing replaces it. */
export function expand(expansion: Expansion, env: Env): string | null {
  const { action, name, column } = expansion;
  const value = env.get(name) ?? null;
  if (action.kind === 'plain') return expansion.suffix === '' ? value : (value ?? '') + expansion.suffix;
  if (action.kind === 'substring') {
    const offset = integer(action.offset, env, column);
    const length = action.length === null ? null : integer(action.length, env, column);
    return value === null ? null : substring(value, offset, length);
  }
  const isSet = value !== null && !(action.blankIsUnset && value === '');
  if (action.kind === 'alternate') return isSet ? expandTemplate(action.value, env) : '';
  if (isSet) return value;
  if (action.kind === 'required') return fail('evaluation', `parameter null or not set: ${name}`, column);
  return expandTemplate(action.value, env);
}

/** Returns the text of a template; an unset variable becomes the empty text. */
export function expandTemplate(template: Template, env: Env): string {
  return template.map((part) => (typeof part === 'string' ? part : (expand(part, env) ?? ''))).join('');
}
