import { limits } from '../../domain/limits/limits.js';
import { cursorLength, type Page } from '../../core/paging.js';
import { linkUrl } from './pagination.js';
import { malformedParameter, type RestRequest } from '../requests/request.js';

/**
 * Reads the range of a cursor list: 30 rows by default. Throws `malformed` for a size out of range or for both cursors
 * at once.
 */
export function readStretch(request: RestRequest) {
  const size = request.text('per_page') || String(limits.perPageDefault);
  const after = request.text('after') || null;
  const before = request.text('before') || null;
  const perPage = /^\d{1,9}$/.test(size) ? Number(size) : 0;
  if (perPage < 1 || perPage > limits.perPageMax)
    throw malformedParameter('per_page', `must be an integer from 1 to ${limits.perPageMax}`);
  if ((after ?? before ?? '').length > cursorLength)
    throw malformedParameter(after === null ? 'before' : 'after', 'is longer than any cursor');
  if (after !== null && before !== null) throw malformedParameter('before', 'cannot be given together with after');
  return before === null ? { first: perPage, after } : { last: perPage, before };
}

/** Links of a cursor list: its body has them beside the `items`. */
export interface CursorLinks {
  self: string;
  first?: string;
  prev?: string;
  next?: string;
}

/** Returns the links of a range as absolute URLs; cursors in them are opaque. `url` is the request's path and query. */
export function cursorLinks<Row>(
  baseUrl: string,
  url: string,
  range: ReturnType<typeof readStretch>,
  page: Page<Row>,
): CursorLinks {
  const perPage = String(range.first ?? range.last);
  const at = (cursor: Record<string, string>) =>
    linkUrl(baseUrl, url, { ...cursor, per_page: perPage }, ['after', 'before']);
  const [first] = page.rows;
  const last = page.rows.at(-1);
  return {
    self: at({ ...(range.after ? { after: range.after } : {}), ...(range.before ? { before: range.before } : {}) }),
    ...(page.hasPrevious ? { first: at({}) } : {}),
    ...(page.hasPrevious && first ? { prev: at({ before: page.cursor(first) }) } : {}),
    ...(page.hasNext && last ? { next: at({ after: page.cursor(last) }) } : {}),
  };
}

/** Returns the `Link` header of the same links, or null if there is no other page. */
export function cursorLinkHeader({ self: _self, ...links }: CursorLinks): string | null {
  const parts = Object.entries(links).map(([rel, url]) => `<${String(url)}>; rel="${rel}"`);
  return parts.length > 0 ? parts.join(', ') : null;
}
