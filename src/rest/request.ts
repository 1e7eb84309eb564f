import { Problem } from '../domain/problem.js';
import { parseTime } from '../domain/time.js';
import type { JsonBody } from './request-body.js';
import type { Query } from './request-query.js';

/** What a route's input mapping sees of a request: path parameters and query decoded, the body parsed. */
export class RestRequest {
  constructor(
    readonly params: Readonly<Record<string, string>>,
    readonly query: Query,
    readonly body: JsonBody,
  ) {}

  /** A path parameter; the route's path names it, so it is there. */
  param(name: string): string {
    return this.params[name] ?? '';
  }

  /** Every value of an array parameter, in any of its spellings (rulings 8); undefined when it is absent. */
  list(name: string): string[] | undefined {
    const value = this.query[name];
    if (value === undefined) return undefined;
    const items = typeof value === 'string' ? [value] : Object.values(value).flat();
    return items.length > 0 ? items : undefined;
  }

  /** The value of a plain parameter, the last one if it is repeated. */
  text(name: string): string | undefined {
    return this.list(name)?.at(-1);
  }

  /** A hash parameter such as `meta_data[key]=value`; undefined when it is absent. */
  map(name: string): Record<string, string> | undefined {
    const value = this.query[name];
    if (value === undefined) return undefined;
    if (typeof value === 'string' || Array.isArray(value)) throw malformedParameter(name, `must be of the form ${name}[key]=value`);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, [inner].flat().at(-1) ?? '']));
  }

  /** A boolean parameter; clients send `true`, `True` and `1`. */
  flag(name: string): boolean | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined || value === '') return undefined;
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    throw malformedParameter(name, 'must be true or false');
  }

  /** A time parameter (rulings 6). */
  time(name: string): Date | undefined {
    const value = this.text(name);
    if (value === undefined || value === '') return undefined;
    const time = parseTime(value);
    if (!time) throw malformedParameter(name, 'must be an ISO 8601 time');
    return time;
  }
}

/** The refusal of a query parameter: 400 (rest-facts 1.4). */
export function malformedParameter(name: string, reason: string): Problem {
  return new Problem('malformed', `The ${name} parameter ${reason}`);
}
