import { limits } from '../domain/limits.js';
import type { Json } from '../domain/steps/step.js';
import type { Page } from '../operations/paging.js';
import { linkUrl } from './pagination.js';
import { malformedParameter, type RestRequest } from './request.js';

/** The stretch a request of a cursor list asks for (rest-facts 1.3): 30 rows by default; a size out of range, or both cursors at once, is `malformed`. */
export function readStretch(request: RestRequest) {
  const size = request.text('per_page') || String(limits.perPageDefault);
  const after = request.text('after') || null;
  const before = request.text('before') || null;
  const perPage = /^\d{1,9}$/.test(size) ? Number(size) : 0;
  if (perPage < 1 || perPage > limits.perPageMax) throw malformedParameter('per_page', `must be an integer from 1 to ${limits.perPageMax}`);
  if (after !== null && before !== null) throw malformedParameter('before', 'cannot be given together with after');
  return before === null ? { first: perPage, after } : { last: perPage, before };
}

export interface CursorLinks {
  self: string;
  first?: string;
  prev?: string;
  next?: string;
}

/** The links of a stretch; clients follow them and take no cursor apart. `url` is the request's path and query. */
export function cursorLinks<Row>(baseUrl: string, url: string, asked: ReturnType<typeof readStretch>, page: Page<Row>): CursorLinks {
  const perPage = String(asked.first ?? asked.last);
  const at = (cursor: Record<string, string>) => linkUrl(baseUrl, url, { ...cursor, per_page: perPage }, ['after', 'before']);
  const [first] = page.rows;
  const last = page.rows.at(-1);
  return {
    self: at({ ...(asked.after ? { after: asked.after } : {}), ...(asked.before ? { before: asked.before } : {}) }),
    ...(page.hasPrevious ? { first: at({}) } : {}),
    ...(page.hasPrevious && first ? { prev: at({ before: page.cursor(first) }) } : {}),
    ...(page.hasNext && last ? { next: at({ after: page.cursor(last) }) } : {}),
  };
}

/** The same links as the `Link` header has them, or null where there is nowhere to go. */
export function cursorLinkHeader({ self: _self, ...links }: CursorLinks): string | null {
  const parts = Object.entries(links).map(([rel, url]) => `<${String(url)}>; rel="${rel}"`);
  return parts.length > 0 ? parts.join(', ') : null;
}

/** The body of a cursor list. */
export const cursorBody = (items: readonly Json[], links: CursorLinks) => ({ items, links });
