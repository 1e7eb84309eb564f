import type { Request } from 'express';

/** The query of a request, decoded, names as they came. Taken from the text: a request line need not be a URL. */
export function queryOf({ originalUrl }: Pick<Request, 'originalUrl'>): URLSearchParams {
  const start = originalUrl.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : originalUrl.slice(start + 1));
}
