import { GraphqlContext } from './context.js';

/** What one operation cost, told in headers and, where asked for, beside its data. */
export interface QueryStats {
  requestedComplexity: number;
  actualComplexity: number;
}

/** The GraphQL context of a request, with what the engine's own plugins keep there. */
export class RequestState extends GraphqlContext {
  readonly stats: QueryStats = { requestedComplexity: 0, actualComplexity: 0 };

  get ceiling(): number {
    return this.services.limits.graphqlCost;
  }

  get requestId(): string {
    return this.facts.requestId;
  }
}
