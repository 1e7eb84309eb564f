import { invalid } from '../../domain/problem.js';

/** An environment as GraphQL lists it: `KEY=value`, values that are not text as JSON. */
export function envList(env: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(env).map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

/** The same on the way in; the last of several entries for a key holds. */
export function envFromList(items: readonly string[] | null | undefined): Record<string, string> | undefined {
  if (!items) return undefined;
  const problems = items.flatMap((item, index) => (item.indexOf('=') > 0 ? [] : [{ field: `env[${index}]`, code: 'must be of the form KEY=value' }]));
  if (problems.length > 0) throw invalid(problems);
  return Object.fromEntries(items.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)]));
}
