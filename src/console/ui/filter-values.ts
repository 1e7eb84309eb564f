/** Filters after a change: an empty text and a box that is not ticked leave the address. */
export function changedFilters<Filters extends object>(before: Filters, change: Partial<Filters>): Filters {
  const filters = Object.entries({ ...before, ...change }).map(([name, value]) => [name, value || undefined]);
  return Object.fromEntries(filters) as Filters;
}

/** Whether any filter narrows the list. */
export const isFiltered = (filters: object): boolean => Object.values(filters).some(Boolean);
