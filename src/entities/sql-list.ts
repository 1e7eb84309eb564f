/**
 * Words of the code as a list of SQL literals, `('a', 'b')`, for index definitions and raw statements: a partial index
 * serves a statement only where the planner sees the same constants in both.
 */
export function sqlList(words: readonly string[]): string {
  const bad = words.find((word) => !/^[a-z_]+$/.test(word));
  if (bad !== undefined || words.length === 0) throw new Error(`not a list of words for SQL: ${words.join(', ')}`);
  return `(${words.map((word) => `'${word}'`).join(', ')})`;
}
