import { parse } from 'qs';
import { limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';

/** A parsed query: a text, several, or one level of keys in brackets (`[]` counts as the key `0`). */
export type Query = Readonly<Record<string, QueryValue | undefined>>;
type QueryValue = string | string[] | Record<string, string | string[]>;

const parametersAtMost = 500;

/**
 * Parses the query of a URL. Brackets may be raw or percent-encoded, names one level deep; unknown parameters are kept
 * for whoever asks for them, so they are ignored by everybody else. Too many parameters, too long values and
 * characters that no text can hold are `malformed`.
 */
export function parseQuery(url: string): Query {
  const start = url.indexOf('?');
  if (start < 0) return {};
  let query: Query;
  try {
    query = parse(url.slice(start + 1), {
      depth: 1,
      parseArrays: false,
      plainObjects: true,
      parameterLimit: parametersAtMost,
      throwOnLimitExceeded: true,
    }) as Query;
  } catch {
    throw new Problem('malformed', `At most ${parametersAtMost} query parameters are supported`);
  }
  // Without a prototype, as the parser makes it: names of parameters are the caller's.
  const read = Object.create(null) as Record<string, QueryValue>;
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    read[name] = flattened(value);
    checkValue(name, read[name]);
  }
  return read;
}

/** Of a name that came both bare and in brackets (`a[]=1&a=2`) the parser makes a list with the bracketed values as a map in it. */
function flattened(value: QueryValue): QueryValue {
  if (!Array.isArray(value)) return value;
  return value.flatMap((each: string | Record<string, string | string[]>) => (typeof each === 'string' ? each : Object.values(each).flat()));
}

function checkValue(name: string, value: QueryValue): void {
  const texts = typeof value === 'string' ? [value] : Object.entries(value).flat(2);
  if (texts.length > 2 * limits.filterValues) throw new Problem('malformed', 'The query has too many values of one parameter');
  for (const text of [name, ...texts]) {
    if (text.includes('\0')) throw new Problem('malformed', 'The query contains a null character');
    if (text.length > 4 * limits.filterLength) throw new Problem('malformed', 'A query parameter is too long');
  }
}

/** Pairs of a query as they came, decoded, for URLs that repeat it. */
export function queryPairs(url: string): [string, string][] {
  const start = url.indexOf('?');
  return start < 0 ? [] : [...new URLSearchParams(url.slice(start + 1))];
}
