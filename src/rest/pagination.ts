import { limits } from '../domain/limits.js';
import type { Page } from '../operations/paging.js';
import { queryPairs } from './request-query.js';
import { malformedParameter, type RestRequest } from './request.js';

export interface NumberedPage {
  page: number;
  perPage: number;
}

/**
 * The page a request asks for: 30 rows by default, at most 100, larger sizes clamped; zero and negative pages are the
 * first (compatibility 6), a size of zero or less is the default. What is no integer is `malformed`.
 */
export function readPage(request: RestRequest): NumberedPage {
  const page = integer(request, 'page') ?? 1;
  const perPage = integer(request, 'per_page') ?? 0;
  return { page: Math.max(1, page), perPage: perPage < 1 ? limits.perPageDefault : Math.min(perPage, limits.perPageMax) };
}

function integer(request: RestRequest, name: string): number | undefined {
  const text = request.text(name);
  if (text === undefined || text === '') return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw malformedParameter(name, 'must be an integer');
  return Number(text);
}

/** What a link sets itself, and credentials that clients put into the query: a URL handed out must not carry them on. */
const neverRepeated = ['access_token', 'api_key', 'page', 'per_page'];

/**
 * The `Link` header of a page (compatibility 14, rulings 7), or null when there is nothing to link to. `url` is the
 * request's path and query; `last` is left out where counting would be dear.
 */
export async function linkHeader(baseUrl: string, url: string, asked: NumberedPage, page: Pick<Page<unknown>, 'hasNext' | 'count'>): Promise<string | null> {
  const count = page.hasNext ? await page.count() : null;
  const numbers: [rel: string, page: number | null][] = [
    ['first', asked.page > 1 ? 1 : null],
    ['prev', asked.page > 1 ? asked.page - 1 : null],
    ['next', page.hasNext ? asked.page + 1 : null],
    ['last', count === null ? null : Math.ceil(count / asked.perPage)],
  ];
  const links = numbers.flatMap(([rel, number]) => (number === null ? [] : [`<${pageUrl(baseUrl, url, number, asked.perPage)}>; rel="${rel}"`]));
  return links.length > 0 ? links.join(', ') : null;
}

const pageUrl = (baseUrl: string, url: string, page: number, perPage: number) => linkUrl(baseUrl, url, { page: String(page), per_page: String(perPage) });

/**
 * The URL of another page: the request's own parameters but for those in `dropped`, and the page's. Sorted by name, so
 * that `page` is never the last: a client reads its number up to the closing bracket.
 */
export function linkUrl(baseUrl: string, url: string, added: Readonly<Record<string, string>>, dropped: readonly string[] = []): string {
  const kept = queryPairs(url).filter(([name]) => !neverRepeated.includes(name) && !dropped.includes(name));
  const pairs: [string, string][] = [...kept, ...Object.entries(added)];
  pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const query = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return `${baseUrl}${url.split('?', 1)[0]}?${query}`;
}
