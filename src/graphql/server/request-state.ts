import type { Context } from '../../request/context.js';
import type { RequestBounds } from '../../http/request-bounds.js';
import { GraphqlContext } from '../context.js';
import type { KeptText, ReplyCost } from '../execution/kept-text.js';
import type { PointsOfPayer } from '../../resources/installation/rate-limits/point-budgets.js';

/** Cost of one operation, returned in headers and, on request, beside its data. */
export interface QueryStats {
  requestedComplexity: number;
  actualComplexity: number;
}

export interface Bill extends PointsOfPayer {
  /** Seconds to wait, where nothing was left. */
  retryAfter: number | null;
}

/** Data of an operation that was carried out before, and is the same now. */
export interface KeptData {
  text: KeptText;
  /** Extra points of the operation, besides its returned objects. */
  charged: number;
}

/** GraphQL context of a request, with the state of the server's own plugins. */
export class RequestState extends GraphqlContext {
  constructor(
    request: Context,
    private readonly bounds: RequestBounds,
    /** What the operation is answered with in place of executing it; null where nothing is kept. */
    readonly kept: KeptData | null = null,
  ) {
    super(request.request, request);
  }

  /** Reads of the database so far. */
  get reads(): number {
    return this.bounds.reads.sent;
  }

  readonly stats: QueryStats = { requestedComplexity: 0, actualComplexity: 0 };

  /** What the data of the reply hold. */
  readonly cost: ReplyCost = { objects: 0, characters: 0 };

  /** Points that remain. The engine works on a copy of this state, so values it reports are stored in objects. */
  readonly bill: Bill = { organization: null, user: null, retryAfter: null };

  /** The turn of a heavy operation; the router ends it with the operation. */
  readonly turn: { end(): void } = { end: () => undefined };

  /** Extra points of the operation, besides its returned objects. */
  get charged(): number {
    return this.dearFields.points;
  }

  get ceiling(): number {
    return this.services.limits.graphqlCost;
  }

  get requestId(): string {
    return this.facts.requestId;
  }
}
