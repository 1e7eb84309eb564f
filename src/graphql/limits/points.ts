import { getArgumentValues, Kind } from 'graphql';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Services } from '../../services.js';
import type { CostedOperation } from './cost.js';

/** Seconds of a window. */
const windowSeconds = 300;

/** State of a budget. `remaining` may be negative, because the cost is known only after the work. */
export interface PointsLeft {
  limit: number;
  remaining: number;
  /** Seconds until the window ends. */
  reset: number;
}

/** Points of users or of organizations, counted separately by each process. */
class Budget {
  private readonly limiter: RateLimiterMemory | null;

  constructor(private readonly limit: number) {
    this.limiter = limit > 0 ? new RateLimiterMemory({ points: limit, duration: windowSeconds }) : null;
  }

  async left(key: string): Promise<PointsLeft | null> {
    return this.limiter ? this.state(await this.limiter.get(key)) : null;
  }

  async spend(key: string, points: number): Promise<PointsLeft | null> {
    if (!this.limiter) return null;
    const state = await this.limiter.consume(key, points).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    return this.state(state);
  }

  private state(known: RateLimiterRes | null): PointsLeft {
    const reset = known ? Math.max(1, Math.ceil(known.msBeforeNext / 1000)) : windowSeconds;
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
  private readonly organizations: Budget;
  private readonly users: Budget;

  constructor({ limits }: Services) {
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

/** Returns the organization slug in the root fields' `slug` arguments (`acme` or `acme/pipeline`); null for none or several. */
export function namedOrganization({ schema, operation, variables }: CostedOperation): string | null {
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {};
  const named = new Set<string>();
  for (const selection of operation.selectionSet.selections) {
    const definition = selection.kind === Kind.FIELD ? fields[selection.name.value] : undefined;
    if (selection.kind !== Kind.FIELD || !definition) continue;
    const { slug } = getArgumentValues(definition, selection, variables);
    if (typeof slug === 'string' && slug !== '') named.add(slug.split('/')[0] ?? '');
  }
  return named.size === 1 ? ([...named][0] ?? null) : null;
}
