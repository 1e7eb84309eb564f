import type { Route } from '../route.js';

/** A change that is taken by PATCH and by PUT alike: clients of either kind are about (rest-facts 3.6, rulings 5). */
export function bothWays(row: (method: 'patch' | 'put', variant?: string) => Route): Route[] {
  return [row('patch'), row('put', 'put')];
}
