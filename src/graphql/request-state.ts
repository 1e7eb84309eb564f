import { GraphqlContext } from './context.js';
import type { PointsOfPayer } from './limits/points.js';

/** What one operation cost, told in headers and, where asked for, beside its data. */
export interface QueryStats {
  requestedComplexity: number;
  actualComplexity: number;
}

export interface Bill extends PointsOfPayer {
  /** Seconds to wait, where nothing was left. */
  retryAfter: number | null;
}

/** The GraphQL context of a request, with what the engine's own plugins keep there. */
export class RequestState extends GraphqlContext {
  readonly stats: QueryStats = { requestedComplexity: 0, actualComplexity: 0 };

  /** What is left to whoever pays for it. The engine works on a copy of this state: what it tells is kept in objects. */
  readonly bill: Bill = { organization: null, user: null, retryAfter: null };

  get ceiling(): number {
    return this.services.limits.graphqlCost;
  }

  get requestId(): string {
    return this.facts.requestId;
  }
}
