import fc from 'fast-check';
import { linkHeader, readPage } from '../../src/rest/replies/pagination.js';
import { parseQuery } from '../../src/rest/requests/request-query.js';
import { RestRequest } from '../../src/rest/requests/request.js';

const page = (query: string) => readPage(new RestRequest({}, parseQuery(`/x?${query}`), {}));
const link = (url: string, count: number | null, hasNext = true) =>
  linkHeader('http://s', url, readPage(new RestRequest({}, parseQuery(url), {})), {
    hasNext,
    count: async () => count,
  });

describe('the page parameters', () => {
  test.each([
    ['', { page: 1, perPage: 30 }],
    ['page=0', { page: 1, perPage: 30 }],
    ['page=-3&per_page=0', { page: 1, perPage: 30 }],
    ['page=2&per_page=100', { page: 2, perPage: 100 }],
    ['per_page=1000', { page: 1, perPage: 100 }],
    ['page=99999999999999999999&per_page=-9', { page: 999_999_999, perPage: 30 }],
    ['page=&per_page=', { page: 1, perPage: 30 }],
  ])('the query string "%s" is read as the expected page', (query, expected) => expect(page(query)).toEqual(expected));

  test.each(['page=x', 'page=1.5', 'per_page=ten', 'page=1e3'])('the page parameter %s is refused', (query) => {
    expect(() => page(query)).toThrow('must be an integer');
  });
});

describe('the Link header', () => {
  test('the Link header is right on the first, a middle and the last page', async () => {
    expect(await link('/v2/builds?per_page=2', 5)).toBe(
      '<http://s/v2/builds?page=2&per_page=2>; rel="next", <http://s/v2/builds?page=3&per_page=2>; rel="last"',
    );
    expect(await link('/v2/builds?page=2&per_page=2', 5)).toBe(
      '<http://s/v2/builds?page=1&per_page=2>; rel="first", <http://s/v2/builds?page=1&per_page=2>; rel="prev", <http://s/v2/builds?page=3&per_page=2>; rel="next", <http://s/v2/builds?page=3&per_page=2>; rel="last"',
    );
    expect(await link('/v2/builds?page=3&per_page=2', 5, false)).toBe(
      '<http://s/v2/builds?page=1&per_page=2>; rel="first", <http://s/v2/builds?page=2&per_page=2>; rel="prev"',
    );
  });

  test('the Link header is absent for one page, and omits the last page when counting is expensive', async () => {
    expect(await link('/v2/builds', 3, false)).toBeNull();
    expect(await link('/v2/builds', null)).toBe('<http://s/v2/builds?page=2&per_page=30>; rel="next"');
  });

  test('the Link header names no page that would be refused', async () => {
    expect(await link('/v2/builds?page=999&per_page=100', null)).toContain('page=1000&per_page=100>; rel="next"');
    expect(await link('/v2/builds?page=1000&per_page=100', null)).not.toContain('next');
  });

  test('the Link header keeps filters sorted and encoded, and drops credentials', async () => {
    expect(await link('/v2/builds?state[]=a&state[]=b&branch=x%20y&access_token=secret&flag', null)).toBe(
      '<http://s/v2/builds?branch=x%20y&flag=&page=2&per_page=30&state%5B%5D=a&state%5B%5D=b>; rel="next"',
    );
  });

  test('a Link header never ends in page, and all its parameters have a value, whatever the request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.stringMatching(/^[a-zA-Z_]{1,8}$/), fc.string())), async (pairs) => {
        const query = new URLSearchParams(
          pairs.filter(([name]) => !name.startsWith('p')).map(([name, value]): [string, string] => [name, value]),
        );
        const url = /<([^>]*)>/.exec((await link(`/v2/builds?${query.toString()}`, null)) ?? '')?.[1] ?? '';
        const parameters = url.split('?')[1]?.split('&') ?? [];
        expect(parameters.every((parameter) => parameter.includes('='))).toBe(true);
        expect(parameters.at(-1)).not.toMatch(/^page=/);
        expect(new URL(url).searchParams.get('page')).toBe('2');
      }),
      { numRuns: 60 },
    );
  });
});
