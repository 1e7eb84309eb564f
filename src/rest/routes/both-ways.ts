import type { Route } from '../route.js';

/** A change that is taken by PATCH and by PUT alike: clients of either kind are about. */
export function bothWays(row: (method: 'patch' | 'put', variant?: string) => Route): Route[] {
  return [row('patch'), row('put', 'put')];
}
