import { z } from 'zod';
import { gitNameProblem } from './builds/git-name.js';
import type { Json } from './pipelines/steps/step.js';

/** Whether the database can hold a text: no null character, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The same for a JSON value, keys included. The caller has bounded its depth. */
export function isStorableJson(value: Json): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorableJson(inner as Json));
}

/**
 * Returns the path of the first text in an operation's input that is not {@link isStorable}, including keys of maps;
 * null if there is none. Bytes, streams and functions are not text. Surfaces have bounded the depth.
 */
export function unstorableField(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : path;
  if (typeof value !== 'object' || value === null || !(Array.isArray(value) || isPlain(value))) return null;
  const keys = Object.keys(value);
  // The path cannot contain a key that is not storable.
  if (!Array.isArray(value) && !keys.every(isStorable)) return path;
  for (const key of keys) {
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner === 'string' ? isStorable(inner) : inner === null || typeof inner !== 'object') continue;
    const field = unstorableField(inner, path === '' ? key : `${path}.${key}`);
    if (field !== null) return field;
  }
  return null;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns the error option of a schema: `missing` for an absent value, else the sentence. */
export const orMissing = (sentence: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'missing' : sentence;

/** The refusal of a text that is not {@link isStorable}. */
export const unstorable = 'contains characters that cannot be stored';

/** Text of at most `length` characters that the database can hold. */
export const text = (length: number) =>
  z
    .string({ error: orMissing('must be a string') })
    .max(length, `is too long (maximum is ${length} characters)`)
    .refine(isStorable, unstorable);

/** The same, and more than white space; the pattern is for documents. */
export const filledText = (length: number) =>
  text(length)
    .refine((value) => value.trim() !== '', "can't be blank")
    .meta({ pattern: '\\S' });

/** A branch or commit that is valid for a build; blank only where blank means absent. */
export const gitName = (length: number, { blank = false } = {}) =>
  text(length)
    .superRefine((value, context) => {
      const problem = blank && value === '' ? null : gitNameProblem(value);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .meta({ pattern: blank ? `^(?:${oneLine})?$` : `^${oneLine}$` });

/** More than white space, without control characters, for documents. */
const oneLine = '[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*';

export const flag = z.boolean({ error: orMissing('must be true or false') });

/** A whole number of at least `min` and at most `max`. */
export const wholeNumber = (min: number, max: number) => {
  const sentence = `must be a whole number from ${min} to ${max}`;
  return z
    .number({ error: orMissing(sentence) })
    .int(sentence)
    .min(min, sentence)
    .max(max, sentence);
};

/** One of a few words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: orMissing(`must be one of ${words.join(', ')}`) });
