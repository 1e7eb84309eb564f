import { invalid } from '../../domain/problem.js';

/** Lists an environment as `KEY=value`; values other than text are JSON. */
export function envList(env: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(env).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}

/** Parses a list of `KEY=value`; the last entry of a key wins. Throws `invalid` for an item without `=`. */
export function envFromList(items: readonly string[] | null | undefined): Record<string, string> | undefined {
  if (!items) return undefined;
  const problems = items.flatMap((item, index) =>
    item.indexOf('=') > 0 ? [] : [{ field: `env[${index}]`, code: 'must be of the form KEY=value' }],
  );
  if (problems.length > 0) throw invalid(problems);
  return Object.fromEntries(items.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)]));
}
