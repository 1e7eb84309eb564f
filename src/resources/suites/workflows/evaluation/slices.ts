/** Rows of one statement: the embedded database works on it in the thread of the server. */
const rowsOfStatement = 250;

/** Items in pieces that one statement takes. */
export function slicesOf<Item>(items: readonly Item[]): Item[][] {
  const slices: Item[][] = [];
  for (let start = 0; start < items.length; start += rowsOfStatement)
    slices.push(items.slice(start, start + rowsOfStatement));
  return slices;
}
