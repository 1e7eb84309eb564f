import { UnreadableResults } from './result.js';

/** JSON of other tools; every field may be missing or of another type. */
export type Loose = Readonly<Record<string, unknown>>;

const nothing: Loose = {};

/** Returns an object; an empty one for other values. */
export const objectOf = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : nothing;

/** Returns the items of a list; none for other values. */
export const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** The objects of a list. */
export const objectsOf = (value: unknown): Loose[] => itemsOf(value).map(objectOf);

/** The texts of a list. */
export const textsOf = (value: unknown): string[] =>
  itemsOf(value).filter((item): item is string => typeof item === 'string');

/** A list that the format cannot do without. */
export function requiredList(value: unknown, what: string): Loose[] {
  if (!Array.isArray(value)) throw new UnreadableResults(`has no ${what}`);
  return objectsOf(value);
}
