/** What a table is sorted by, as the address says it: the key of a column, with `-` before it from the largest on. */
export interface Sorting {
  key: string;
  descending: boolean;
}

/** Null where the address says nothing that can be sorted by. */
export function sortingOf(word: string | undefined, keys: readonly string[]): Sorting | null {
  const key = (word ?? '').replace(/^-/, '');
  return keys.includes(key) ? { key, descending: word !== key } : null;
}

/** The word of the next sorting: first from the largest on, then from the smallest, then as the server has it. */
export function nextSorting(before: Sorting | null, key: string): string | undefined {
  if (before?.key !== key) return `-${key}`;
  return before.descending ? key : undefined;
}

type Sorted = number | string | null | undefined;

/** The items in order; those without a value stay last, and equal ones as they were. */
export function sorted<T>(items: readonly T[], valueOf: (item: T) => Sorted, descending: boolean): T[] {
  return items.toSorted((one, other) => {
    const [a, b] = [valueOf(one) ?? null, valueOf(other) ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b);
    return descending ? -order : order;
  });
}
