import { Problem } from '../../domain/problem.js';
import { parseTime } from '../../domain/time.js';
import type { JsonBody } from './request-body.js';
import type { Query } from './request-query.js';

/** A request as routes read it: decoded path parameters and query, and the parsed body. */
export class RestRequest {
  constructor(
    readonly params: Readonly<Record<string, string>>,
    readonly query: Query,
    readonly body: JsonBody,
  ) {}

  /** Returns a path parameter; empty only if the route's path does not name it. */
  param(name: string): string {
    return this.params[name] ?? '';
  }

  /**
   * Returns the values of an array parameter (`a=1`, `a[]=1`, `a[0]=1`) that are not blank; undefined if there are
   * none.
   */
  list(name: string): string[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const items = (typeof value === 'string' ? [value] : Object.values(value).flat()).filter((item) => item !== '');
    return items.length > 0 ? items : undefined;
  }

  /** Returns the value of a parameter, the last one if it is repeated; undefined if it is absent. */
  text(name: string): string | undefined {
    return this.list(name)?.at(-1);
  }

  /**
   * Returns a map parameter such as `meta_data[key]=value`; undefined if it is absent. Throws `malformed` for a plain
   * value.
   */
  map(name: string): Record<string, string> | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string' || Array.isArray(value))
      throw malformedParameter(name, `must be of the form ${name}[key]=value`);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, [inner].flat().at(-1) ?? '']));
  }

  /** Returns a boolean parameter; clients send `true`, `True` and `1`. Throws `malformed` for other words. */
  flag(name: string): boolean | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined || value === '') return undefined;
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    throw malformedParameter(name, 'must be true or false');
  }

  /** Returns an ISO 8601 time parameter; undefined if it is absent or blank. Throws `malformed` for other text. */
  time(name: string): Date | undefined {
    const value = this.text(name);
    if (value === undefined || value === '') return undefined;
    const time = parseTime(value);
    if (!time) throw malformedParameter(name, 'must be an ISO 8601 time');
    return time;
  }

  /**
   * Returns a whole number, cut to nine digits; undefined if it is absent or blank. Throws `malformed` for other text.
   */
  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^-?\d+$/.test(value)) throw malformedParameter(name, 'must be an integer');
    return Math.max(-largestInteger, Math.min(largestInteger, Number(value)));
  }

  private value(name: string): Exclude<Query[string], null> {
    const value = this.query[name];
    if (value === null) throw malformedParameter(name, 'must not have brackets inside brackets');
    return value;
  }
}

/** No list has as many pages, and the database counts rows in 64 bits. */
const largestInteger = 999_999_999;

/** Returns the problem of an invalid query parameter: `malformed`, answered 400. */
export function malformedParameter(name: string, reason: string): Problem {
  return new Problem('malformed', `The ${name} parameter ${reason}`);
}
