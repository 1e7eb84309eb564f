import { z } from 'zod';
import type { Json } from '../domain/steps/step.js';

/** Whether the database can hold a text: no null character, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text);
}

/** The same for a JSON value, keys included. The caller has bounded its depth. */
export function isStorableJson(value: Json): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorableJson(inner as Json));
}

/** `missing` for what is absent, else the sentence given: how a refusal of a type reads (rest-facts 1.4). */
export const orMissing = (sentence: string) => (issue: { input?: unknown }) => (issue.input === undefined ? 'missing' : sentence);

/** The refusal of a text that is not {@link isStorable}. */
export const unstorable = 'contains characters that cannot be stored';

/** Text of at most `length` characters that the database can hold. */
export const text = (length: number) =>
  z
    .string({ error: orMissing('must be a string') })
    .max(length, `is too long (maximum is ${length} characters)`)
    .refine(isStorable, unstorable);

/** The same, and more than white space. */
export const filledText = (length: number) => text(length).refine((value) => value.trim() !== '', 'can\'t be blank');

export const flag = z.boolean({ error: orMissing('must be true or false') });

/** A whole number of at least `min` and at most `max`. */
export const wholeNumber = (min: number, max: number) => {
  const sentence = `must be a whole number from ${min} to ${max}`;
  return z.number({ error: orMissing(sentence) }).int(sentence).min(min, sentence).max(max, sentence);
};

/** One of a few words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: orMissing(`must be one of ${words.join(', ')}`) });
