import { registerEnumType } from 'type-graphql';

/**
 * Registers a GraphQL enum.
 * @param words the product's own words, each with the description of its value; a value is the word in upper case.
 * @returns the words by value: `{ RECENTLY_CREATED: 'recently_created' }`.
 */
export function declare<const Words extends Readonly<Record<string, string>>>(
  name: string,
  description: string,
  words: Words,
): { [Word in keyof Words & string as Uppercase<Word>]: Word } {
  const entries = Object.entries(words).map(([word, text]) => ({ value: word.toUpperCase(), word, text }));
  const values = Object.fromEntries(entries.map(({ value, word }) => [value, word]));
  registerEnumType(values, {
    name,
    description,
    valuesConfig: Object.fromEntries(entries.map(({ value, text }) => [value, { description: text }])),
  });
  // Object.fromEntries widens its keys to string; the mapped type above names them.
  return values as never;
}

/** The orders that most lists with a `search` argument have. */
export const listOrders = {
  name: 'Alphabetical by name.',
  recently_created: 'Newest first.',
  relevance: 'Best match of the `search` argument first.',
} as const;
