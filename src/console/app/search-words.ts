/** A text of the query string; anything else, and an empty one, is absent. */
const word = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;

/** Reads the texts of these names from a query string. */
export const words =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): { [Key in Name]?: string | undefined } =>
    Object.fromEntries(names.map((name) => [name, word(search[name])])) as { [Key in Name]?: string | undefined };
