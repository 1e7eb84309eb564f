import { limits } from '../../domain/limits/limits.js';
import type { Page } from '../../core/paging.js';
import { queryPairs } from '../requests/request-query.js';
import type { RestRequest } from '../requests/request.js';

export interface NumberedPage {
  page: number;
  perPage: number;
}

/**
 * Reads `page` and `per_page`: 30 rows by default, and larger sizes are reduced to 100. Pages below 1 are page 1; sizes
 * below 1 are the default. Throws `malformed` for values that are not integers.
 */
export function readPage(request: RestRequest): NumberedPage {
  const page = request.integer('page') ?? 1;
  const perPage = request.integer('per_page') ?? 0;
  return {
    page: Math.max(1, page),
    perPage: perPage < 1 ? limits.perPageDefault : Math.min(perPage, limits.perPageMax),
  };
}

/**
 * Parameters that links set themselves, and credentials that clients put into the query: links must not repeat those.
 */
const neverRepeated = ['access_token', 'api_key', 'page', 'per_page'];

/**
 * Returns the `Link` header of a page, or null if there is no other page. `url` is the request's path and query. `next`
 * is absent on the deepest page that is answered; `last` on the last page, and if counting is too expensive.
 */
export async function linkHeader(
  baseUrl: string,
  url: string,
  { page: number, perPage }: NumberedPage,
  page: Pick<Page<unknown>, 'hasNext' | 'count'>,
): Promise<string | null> {
  const count = page.hasNext ? await page.count() : null;
  const targets: [rel: string, page: number | null][] = [
    ['first', number > 1 ? 1 : null],
    ['prev', number > 1 ? number - 1 : null],
    ['next', page.hasNext && number * perPage < limits.listDepth ? number + 1 : null],
    ['last', count === null ? null : Math.ceil(count / perPage)],
  ];
  const links = targets.flatMap(([rel, target]) =>
    target === null ? [] : [`<${pageUrl(baseUrl, url, target, perPage)}>; rel="${rel}"`],
  );
  return links.length > 0 ? links.join(', ') : null;
}

const pageUrl = (baseUrl: string, url: string, page: number, perPage: number) =>
  linkUrl(baseUrl, url, { page: String(page), per_page: String(perPage) });

/**
 * Returns the absolute URL of another page: the request's parameters except `dropped`, plus `added`. Parameters are
 * sorted by name, so that `page` is never last: one client reads the link's closing `>` as part of the last value.
 */
export function linkUrl(
  baseUrl: string,
  url: string,
  added: Readonly<Record<string, string>>,
  dropped: readonly string[] = [],
): string {
  const repeated = queryPairs(url).filter(([name]) => !neverRepeated.includes(name) && !dropped.includes(name));
  const pairs: [string, string][] = [...repeated, ...Object.entries(added)];
  pairs.sort(([a], [b]) => Number(a > b) - Number(a < b));
  const query = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return `${baseUrl}${url.split('?', 1)[0]}?${query}`;
}
