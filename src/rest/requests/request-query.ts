import { parse } from 'qs';
import { limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';

/**
 * A parsed query: each value is a text, a list, or a map with one level of keys in brackets (`[]` is the key `0`); null
 * for brackets inside brackets, which no route reads.
 */
export type Query = Readonly<Record<string, QueryValue | null | undefined>>;
type QueryValue = string | string[] | Record<string, string | string[]>;

const parametersAtMost = 1_000;
/** Characters of one value at most. */
export const queryValueLength = 4 * limits.filterLength;

/**
 * Parses the query of a URL. Brackets may be raw or percent-encoded, and nest one level. Parameters that no route reads
 * have no effect. Throws `malformed` for too many parameters, values that are too long and null characters.
 */
export function parseQuery(url: string): Query {
  const start = url.indexOf('?');
  if (start < 0) return {};
  let query: Record<string, ParsedValue | undefined>;
  try {
    query = parse(url.slice(start + 1), {
      depth: 1,
      parseArrays: false,
      plainObjects: true,
      parameterLimit: parametersAtMost,
      throwOnLimitExceeded: true,
    }) as typeof query;
  } catch {
    throw new Problem('malformed', `At most ${parametersAtMost} query parameters are supported`);
  }
  // The caller chooses the names of parameters, so the object has no prototype.
  const read = Object.create(null) as Record<string, QueryValue | null>;
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    const flat = flattened(value);
    if (flat === undefined) continue;
    read[name] = flat;
    if (flat !== null) checkValue(name, flat);
  }
  return read;
}

/** Parser output for brackets inside brackets (`x[a][b]=c`). */
type Nested = { readonly [key: string]: unknown };
type ParsedMap = Record<string, string | string[] | Nested>;
type ParsedValue = string | ParsedMap | (string | ParsedMap)[];

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Reduces a parsed value to one level; undefined if nothing is left, null for brackets inside brackets. For a name both
 * bare and in brackets (`a[]=1&a=2`) the parser returns a list that contains the bracketed values as a map.
 */
function flattened(value: ParsedValue): QueryValue | null | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return value.flatMap((each) => (typeof each === 'string' ? each : Object.values(each).flat().filter(isText)));
  // The caller chooses the keys, so the object has no prototype.
  const map = Object.create(null) as Record<string, string | string[]>;
  for (const [key, inner] of Object.entries(value)) {
    if (isText(inner)) map[key] = inner;
    else if (!Array.isArray(inner)) return null;
    else if (inner.some(isText)) map[key] = inner.filter(isText);
  }
  return Object.keys(map).length > 0 ? map : undefined;
}

function checkValue(name: string, value: QueryValue): void {
  const texts = typeof value === 'string' ? [value] : Object.entries(value).flat(2);
  if (texts.length > 2 * limits.filterValues)
    throw new Problem('malformed', 'The query has too many values of one parameter');
  for (const text of [name, ...texts]) {
    if (text.includes('\0')) throw new Problem('malformed', 'The query contains a null character');
    if (text.length > queryValueLength) throw new Problem('malformed', 'A query parameter is too long');
  }
}

/** Returns the decoded pairs of a URL's query in their order, for URLs that repeat them. */
export function queryPairs(url: string): [string, string][] {
  const start = url.indexOf('?');
  return start < 0 ? [] : [...new URLSearchParams(url.slice(start + 1))];
}
