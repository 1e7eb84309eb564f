import type { RateLimiterRes } from 'rate-limiter-flexible';
import type { Services } from '../../../services/services.js';
import { BoundedLimiter } from './bounded-limiter.js';

/** Seconds of a window. */
export const pointsWindowSeconds = 300;

/** State of a budget. `remaining` may be negative, because the cost is known only after the work. */
export interface PointsLeft {
  limit: number;
  remaining: number;
  /** Seconds until the window ends. */
  reset: number;
}

/** Points of users or of organizations, counted separately by each process. */
class Budget {
  private readonly limiter: BoundedLimiter | null;

  constructor(readonly limit: number) {
    this.limiter = limit > 0 ? new BoundedLimiter({ points: limit, duration: pointsWindowSeconds }) : null;
  }

  async left(key: string): Promise<PointsLeft | null> {
    return this.limiter ? this.state(await this.limiter.get(key)) : null;
  }

  async spend(key: string, points: number): Promise<PointsLeft | null> {
    if (!this.limiter) return null;
    return this.state(await this.limiter.consume(key, points));
  }

  private state(known: RateLimiterRes | null): PointsLeft {
    const reset = known ? Math.max(1, Math.ceil(known.msBeforeNext / 1000)) : pointsWindowSeconds;
    return { limit: this.limit, remaining: this.limit - (known?.consumedPoints ?? 0), reset };
  }
}

/** User and organization whose points an operation spends. */
export interface Payer {
  userId: string;
  /** Id of the organization that the operation names; null if this is unknown before it runs. */
  organizationId: string | null;
}

export interface PointsOfPayer {
  organization: PointsLeft | null;
  user: PointsLeft | null;
}

/** Points of organizations and users per five minutes. */
export class PointBudgets {
  private static readonly known = new WeakMap<Services['limits'], PointBudgets>();

  /** The budgets of a process, which the callers that spend them and the pages that show them share. */
  static of(services: Pick<Services, 'limits'>): PointBudgets {
    const { graphqlOrganizationPoints = 0, graphqlUserPoints = 0 } = services.limits;
    const known = this.known.get(services.limits);
    if (known?.organizations.limit === graphqlOrganizationPoints && known.users.limit === graphqlUserPoints)
      return known;
    const budgets = new PointBudgets(services);
    this.known.set(services.limits, budgets);
    return budgets;
  }

  private readonly organizations: Budget;
  private readonly users: Budget;

  private constructor({ limits }: Pick<Services, 'limits'>) {
    this.organizations = new Budget(limits.graphqlOrganizationPoints ?? 0);
    this.users = new Budget(limits.graphqlUserPoints ?? 0);
  }

  async left({ userId, organizationId }: Payer): Promise<PointsOfPayer> {
    return {
      organization: organizationId === null ? null : await this.organizations.left(organizationId),
      user: await this.users.left(userId),
    };
  }

  async spend({ userId, organizationId }: Payer, points: number): Promise<PointsOfPayer> {
    return {
      organization: organizationId === null ? null : await this.organizations.spend(organizationId, points),
      user: await this.users.spend(userId, points),
    };
  }
}
