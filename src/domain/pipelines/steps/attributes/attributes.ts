import { isVariableName } from '../../../builds/variable-name.js';
import { largestInteger, smallestInteger } from '../../../integer-column.js';
import { stepLimits } from '../../../limits/step-limits.js';
import type { DefinitionProblem, Json, JsonObject } from '../step.js';

/** Shared state of one reading of a definition: its options and the problems so far. */
export interface Reading {
  problems: DefinitionProblem[];
  /** True for stored text before interpolation, in which a number or flag may still be a `$VARIABLE`. */
  pendingVariables: boolean;
  checkCondition: ((expression: string) => string | null) | undefined;
  /** True for a definition that an agent uploads: it has decided `if_changed` already, or cannot. */
  uploaded: boolean;
  /** Keys already taken. */
  keys: Set<string>;
  /** Called for each attribute that nothing reads; undefined if the caller does not need them. */
  onUnknown: ((attribute: UnknownAttribute) => void) | undefined;
}

/** An attribute that a definition has and nothing reads, such as `timeout_in_minute`. */
export interface UnknownAttribute {
  path: string;
  name: string;
  /** Names that are read in its place. */
  known: readonly string[];
}

export function isObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The text of a scalar (numbers and booleans as YAML would write them); undefined for anything else. */
export function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Adds a problem, up to the number an author can use. */
export function report(reading: Reading, path: string, message: string): void {
  if (reading.problems.length < stepLimits.problems) reading.problems.push({ path, message });
}

/**
 * Reads the attributes of one mapping by name (the first present spelling). Reports problems with the path of the
 * attribute, and then continues with the attribute's default.
 */
export class Attributes {
  readonly #known = new Set<string>();

  constructor(
    readonly raw: JsonObject,
    readonly path: string,
    readonly reading: Reading,
  ) {}

  /** The spelling under which the attribute is present. */
  spelling(...names: [string, ...string[]]): string {
    for (const name of names) this.#known.add(name);
    for (const name of names) if (Object.hasOwn(this.raw, name)) return name;
    return names[0];
  }

  value(...names: [string, ...string[]]): Json | undefined {
    for (const name of names) this.#known.add(name);
    for (const name of names) if (Object.hasOwn(this.raw, name)) return this.raw[name];
    return undefined;
  }

  /** Reports the attributes that have not been read; called once all that are known have been, or would have been. */
  reportUnknown(...others: string[]): void {
    const { onUnknown } = this.reading;
    if (!onUnknown) return;
    const known = new Set([...this.#known, ...others]);
    for (const name of Object.keys(this.raw))
      if (!known.has(name)) onUnknown({ path: this.pathOf(name), name, known: [...known] });
  }

  /** Path of an attribute; of the mapping itself where the name is empty. */
  pathOf(name: string): string {
    return this.path === '' || name === '' ? this.path + name : `${this.path}.${name}`;
  }

  problem(name: string, message: string): void {
    report(this.reading, this.pathOf(name), message);
  }

  /** Whether the value waits for interpolation and so cannot be judged yet. */
  pending(value: Json | undefined): boolean {
    return this.reading.pendingVariables && typeof value === 'string' && value.includes('$');
  }

  /** Text; numbers and booleans become text, blank becomes null. */
  text(...names: [string, ...string[]]): string | null {
    const value = this.value(...names);
    if (value === undefined || value === null) return null;
    const text = scalarText(value);
    if (text === undefined) {
      const name = this.spelling(...names);
      this.problem(name, `"${name}" must be a string.`);
    }
    return text === undefined || text === '' ? null : text;
  }

  /** Reads a whole number, also written as text ("5"), within bounds. Default bounds: the range of its column. */
  integer(
    names: [string, ...string[]],
    { min = smallestInteger, max = largestInteger }: { min?: number; max?: number } = {},
  ): number | null {
    const name = this.spelling(...names);
    const value = this.value(name);
    if (value === undefined || value === null || value === '' || this.pending(value)) return null;
    const number = wholeNumber(value);
    if (number === undefined) {
      this.problem(name, `"${name}" must be a whole number.`);
      return null;
    }
    if (number < min) this.problem(name, `"${name}" must be at least ${min}.`);
    if (number > max) this.problem(name, `"${name}" must be at most ${max}.`);
    return number;
  }

  /** true, false, "true" or "false". */
  flag(name: string, otherwise: boolean): boolean {
    const value = this.value(name);
    if (value === undefined || value === null || value === '' || this.pending(value)) return otherwise;
    const flag = flagOf(value);
    if (flag === undefined) this.problem(name, `"${name}" must be true or false.`);
    return flag ?? otherwise;
  }

  /** One of the words given, or the first of them. */
  choice<T extends string>(name: string, words: readonly [T, ...T[]]): T {
    const value = this.value(name);
    if (value === undefined || value === null || value === '' || this.pending(value)) return words[0];
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) this.problem(name, `"${name}" must be one of ${words.join(', ')}.`);
    return word ?? words[0];
  }

  /** A string or a list of strings. */
  list(...names: [string, ...string[]]): string[] {
    const name = this.spelling(...names);
    const value = this.value(name);
    if (value === undefined || value === null) return [];
    const items = (Array.isArray(value) ? value : [value]).map((item) => (item === null ? '' : scalarText(item)));
    if (items.includes(undefined)) {
      this.problem(name, `"${name}" must be a string or a list of strings.`);
      return [];
    }
    return items as string[];
  }

  /** A map whose values become strings (null the empty string). */
  stringMap(name: string): Record<string, string> {
    const value = this.value(name);
    if (value === undefined || value === null) return {};
    if (!isObject(value)) {
      this.problem(name, `"${name}" must be a map of names to values.`);
      return {};
    }
    const entries = Object.entries(value).map(([key, item]): [string, string] => {
      const text = item === null ? '' : scalarText(item);
      if (text === undefined)
        this.problem(`${name}.${key}`, `The value of "${key}" in "${name}" must be a string, a number or a boolean.`);
      return [key, text ?? ''];
    });
    return Object.fromEntries(entries);
  }

  /** Reads a map of environment variables like {@link stringMap}; refuses names that no variable can have. */
  environment(name: string): Record<string, string> {
    const variables = this.stringMap(name);
    const wrong = Object.keys(variables).find((key) => !isVariableName(key) && !this.pending(key));
    if (wrong !== undefined)
      this.problem(name, `"${name}" has a name that no environment variable can have: ${shortText(wrong)}.`);
    return variables;
  }

  /** Reads a map, unchanged. */
  object(name: string): JsonObject | null {
    const value = this.value(name);
    if (value === undefined || value === null) return null;
    if (isObject(value)) return value;
    this.problem(name, `"${name}" must be a map.`);
    return null;
  }

  /** Reads a list, unchanged; a single value becomes a list of one. */
  items(name: string): Json[] {
    const value = this.value(name);
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : [value];
  }
}

/** A text as a problem shows it: quoted, and cut after 100 characters. */
function shortText(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

/** true, false and their names; undefined for anything else. */
export function flagOf(value: Json): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

/** A whole number, also written as text; undefined for anything else. */
export function wholeNumber(value: Json): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[-+]?\d{1,15}\s*$/.test(value)) return undefined;
  return Number(value);
}
